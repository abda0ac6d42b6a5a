import { HomePage } from "../../features/shell/home-page.tsx";

export default function Page() {
  return <HomePage />;
}
