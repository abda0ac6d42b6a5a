import { Suspense } from "react";
import { LoginPage } from "../../features/auth/login-page.tsx";

export default function Page() {
  return (
    <Suspense>
      <LoginPage />
    </Suspense>
  );
}
