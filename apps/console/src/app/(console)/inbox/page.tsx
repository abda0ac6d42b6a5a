import { InboxPage } from "../../../features/inbox/inbox-page.tsx";

export default function Page() {
  return <InboxPage />;
}
