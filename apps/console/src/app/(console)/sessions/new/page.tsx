import { NewSessionPage } from "../../../../features/new-session/new-session-page.tsx";

export default function Page() {
  return <NewSessionPage />;
}
