import { notFound } from "next/navigation";
import { SessionPage } from "../../../../features/session/session-page.tsx";
import { sequenceOf, sessionIdOf } from "../../../../lib/session-href.ts";

type PageProps = {
  params: Promise<{ sessionId: string }>;
  searchParams: Promise<{ id?: string | string[]; seq?: string | string[] }>;
};

export default async function Page({ params, searchParams }: PageProps) {
  const [{ sessionId: segment }, { id, seq }] = await Promise.all([params, searchParams]);
  const sessionId = sessionIdOf(segment, typeof id === "string" ? id : undefined);
  if (sessionId === null) notFound();
  // Another session or place is another page: nothing of the one before may stay.
  const wanted = sequenceOf(seq);
  return <SessionPage key={`${sessionId} ${wanted}`} sessionId={sessionId} wanted={wanted} />;
}
