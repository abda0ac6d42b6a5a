import { SignpostBig } from "lucide-react";
import Link from "next/link";
import { Button } from "./ui/button.tsx";
import { EmptyState } from "./ui/empty-state.tsx";

export function NotFoundPanel() {
  return (
    <EmptyState
      className="pt-[16dvh]"
      icon={<SignpostBig aria-hidden />}
      title="There is nothing at this address"
      actions={
        <Button asChild>
          <Link href="/sessions">All sessions</Link>
        </Button>
      }
    >
      The link may be old, or the session was deleted.
    </EmptyState>
  );
}
