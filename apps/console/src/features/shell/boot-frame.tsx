import { Logo } from "../../components/logo.tsx";

/** The frame of the console before it knows who is there: same measures, no content. */
export function BootFrame() {
  return (
    <main aria-busy className="flex h-dvh flex-col md:flex-row">
      <title>Signalbox</title>
      <div className="flex h-12 shrink-0 items-center gap-2 border-b px-4 md:h-auto md:w-60 md:items-start md:border-r md:border-b-0 md:bg-surface md:py-4">
        <Logo />
        <span className="font-semibold text-base leading-6">Signalbox</span>
      </div>
    </main>
  );
}
