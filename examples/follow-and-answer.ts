/**
 * Drives a session from another service: opens it, sends a prompt, prints what the agent says as
 * it says it, answers the permission it asks for, and deletes the session.
 *
 *     npm start                                       # in one terminal
 *     node --import tsx examples/follow-and-answer.ts # in another
 *
 * Reads `SIGNALBOX_URL` (default `http://127.0.0.1:4170`) and `SIGNALBOX_TOKEN` (default: the
 * administrator's token in `.signalbox/admin-token`). A prompt of your own is the first argument.
 * Ctrl-C stops following; the session and its turn stay until they are deleted.
 */
import { readFile } from "node:fs/promises";
import {
  connect,
  type PendingPermission,
  type SessionEvent,
  type SignalboxClient,
  SignalboxError,
} from "@signalbox/client";

const url = process.env.SIGNALBOX_URL ?? "http://127.0.0.1:4170";
const token = process.env.SIGNALBOX_TOKEN ?? (await adminToken());
const text = process.argv[2] ?? "Please ask me for permission.";
const sessionId = `example-${process.pid}`;

const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort(new Error("interrupted")));

await using client = connect({ url, token });
try {
  await walk(client, interrupted.signal);
} catch (error) {
  if (!(error instanceof SignalboxError)) throw error;
  console.error(`\n${error.code}: ${error.message}`);
  process.exitCode = 1;
}

async function walk(signalbox: SignalboxClient, signal: AbortSignal): Promise<void> {
  const { sessions } = signalbox.api;
  await sessions.open.mutate({ sessionId, agent: "demo", permissionPolicy: "ask" });
  try {
    const finished = new AbortController();
    const answering = answerPermissions(signalbox, AbortSignal.any([signal, finished.signal]));
    const prompting = signalbox
      .prompt({ sessionId, text, signal, onEvent: liveText() })
      .finally(() => finished.abort());
    const [result] = await Promise.all([prompting, answering]);
    console.log(`\n\nThe turn ended with ${result.stopReason}; the agent's committed message:`);
    console.log(JSON.stringify(result.message, null, 2));
  } finally {
    await sessions.delete.mutate({ sessionId });
  }
}

/** Answers each permission request of the session as it comes. */
async function answerPermissions(signalbox: SignalboxClient, signal: AbortSignal): Promise<void> {
  for await (const { event } of signalbox.followSession({ sessionId, after: 0, signal })) {
    if (event.type !== "permission_request") continue;
    const { requests } = await signalbox.api.permissions.pending.query({});
    for (const request of requests.filter((pending) => pending.sessionId === sessionId)) {
      await answer(signalbox, request);
    }
  }
}

/** Picks from what was offered; the digest makes sure that it is still what was looked at. */
async function answer(signalbox: SignalboxClient, request: PendingPermission): Promise<void> {
  const { requestId, options, digest, toolCall } = request;
  console.log(`\n\nThe agent asks: ${String(toolCall.title)}`);
  for (const { optionId, name, kind } of options) console.log(`  ${optionId}: ${name} (${kind})`);
  const option = options.find(({ kind }) => kind === "allow_once") ?? options[0];
  if (!option) return;
  const { optionId } = option;
  const given = await signalbox.api.permissions.respond.mutate({
    sessionId,
    requestId,
    optionId,
    digest,
  });
  console.log(`Answered ${optionId}: ${given.status}\n`);
}

/**
 * Prints the agent's text once. A message grows in live deltas and is then committed whole, so
 * of a committed one only what was not yet shown is printed.
 */
function liveText(): (event: SessionEvent) => void {
  let shown = "";
  return (event) => {
    if (event.type !== "agent_message_chunk") return;
    const { content } = event;
    const isText = typeof content === "object" && content !== null && "text" in content;
    const piece = isText ? String(content.text) : "";
    process.stdout.write(event.durability === "ephemeral" ? piece : piece.slice(shown.length));
    shown = event.durability === "ephemeral" ? shown + piece : "";
  };
}

async function adminToken(): Promise<string> {
  const file = `${process.env.SIGNALBOX_DATA_DIR ?? ".signalbox"}/admin-token`;
  return (await readFile(file, "utf8")).trim();
}
