import { notFound } from "next/navigation";
import { EventsPage } from "../../../../../features/events/events-page.tsx";
import { sessionIdOf } from "../../../../../lib/session-href.ts";

type PageProps = {
  params: Promise<{ sessionId: string }>;
  searchParams: Promise<{ id?: string | string[] }>;
};

export default async function Page({ params, searchParams }: PageProps) {
  const [{ sessionId: segment }, { id }] = await Promise.all([params, searchParams]);
  const sessionId = sessionIdOf(segment, typeof id === "string" ? id : undefined);
  if (sessionId === null) notFound();
  return <EventsPage key={sessionId} sessionId={sessionId} />;
}
