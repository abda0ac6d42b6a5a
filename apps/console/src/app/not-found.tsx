import { NotFoundPanel } from "../components/not-found-panel.tsx";

export default function NotFound() {
  return <NotFoundPanel />;
}
