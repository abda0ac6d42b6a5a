import { type ReactNode, Suspense } from "react";
import { AuthGate } from "../../features/auth/auth-gate.tsx";
import { BootFrame } from "../../features/shell/boot-frame.tsx";
import { Shell } from "../../features/shell/shell.tsx";

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={<BootFrame />}>
      <AuthGate>
        <Shell>{children}</Shell>
      </AuthGate>
    </Suspense>
  );
}
