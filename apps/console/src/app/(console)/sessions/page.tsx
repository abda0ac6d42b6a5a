import { SessionsPage } from "../../../features/sessions/sessions-page.tsx";

export default function Page() {
  return <SessionsPage />;
}
