import { UsagePage } from "../../../features/usage/usage-page.tsx";

export default function Page() {
  return <UsagePage />;
}
