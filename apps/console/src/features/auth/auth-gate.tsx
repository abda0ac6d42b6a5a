"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { FleetProvider } from "../../lib/fleet.tsx";
import { readToken, watchToken } from "../../lib/token.ts";
import { TrpcProvider } from "../../lib/trpc.tsx";
import { BootFrame } from "../shell/boot-frame.tsx";
import { loginHref } from "./return-path.ts";

/** Shows the console to a browser with a token and sends any other to the login page. */
export function AuthGate({ children }: { children: ReactNode }) {
  const token = useSyncExternalStore(watchToken, readToken, () => undefined);
  const router = useRouter();
  const pathname = usePathname();
  const query = useSearchParams().toString();
  useEffect(() => {
    if (token === null) router.replace(loginHref(query === "" ? pathname : `${pathname}?${query}`));
  }, [token, router, pathname, query]);
  if (token === null || token === undefined) return <BootFrame />;
  return (
    <TrpcProvider key={token} token={token}>
      <FleetProvider>{children}</FleetProvider>
    </TrpcProvider>
  );
}
