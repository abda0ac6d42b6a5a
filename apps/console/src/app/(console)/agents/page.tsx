import { AgentsPage } from "../../../features/agents/agents-page.tsx";

export default function Page() {
  return <AgentsPage />;
}
