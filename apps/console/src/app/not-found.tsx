import { NotFoundPanel } from "../components/not-found-panel.tsx";

export default function NotFound() {
  return (
    <main>
      <title>Not found · Signalbox</title>
      <NotFoundPanel />
    </main>
  );
}
