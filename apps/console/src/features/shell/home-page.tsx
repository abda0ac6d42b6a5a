"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { usePending } from "../../lib/fleet.tsx";

/** Goes where there is something to do. */
export function HomePage() {
  const router = useRouter();
  const { requests, isLoading } = usePending();
  const target = isLoading ? null : requests.length > 0 ? "/inbox" : "/sessions";
  useEffect(() => {
    if (target !== null) router.replace(target);
  }, [router, target]);
  return null;
}
