import { Suspense } from "react";
import { LoginFrame, LoginPage } from "../../features/auth/login-page.tsx";

export default function Page() {
  return (
    <Suspense fallback={<LoginFrame />}>
      <LoginPage />
    </Suspense>
  );
}
