/** What a run does, as plain data that fast-check makes, shrinks and prints. */
import fc from "fast-check";

export const SESSIONS = ["main", "other"] as const;

export type SessionName = (typeof SESSIONS)[number];

export type ClientCommand =
  | { do: "open"; session: SessionName; policy: "ask" | "allow_all" }
  | { do: "prompt"; session: SessionName; key: number | null; text: number; queue: boolean }
  | { do: "cancel"; session: SessionName; which: "running" | "known" | "unknown"; at: number }
  | { do: "answer"; at: number; option: "allow" | "reject" | "bogus"; digest: DigestChoice }
  | { do: "answerQuestion"; at: number; how: "accept" | "misfit" | "decline" | "cancel" }
  | { do: "unload" | "delete"; session: SessionName }
  | { do: "rotateEnv"; session: SessionName; value: "one" | "two" }
  | { do: "configure"; session: SessionName; value: "a" | "b" | "bogus" }
  | { do: "subscribe"; session: SessionName; from: "now" | "oldest" | "middle"; slow: boolean }
  | { do: "resume"; at: number; slow: boolean }
  | { do: "drop"; at: number }
  | { do: "read"; session: SessionName }
  | { do: "wait"; ms: number };

type DigestChoice = "none" | "right" | "wrong";

export type AgentAction =
  | { do: "say" | "think"; session: SessionName; text: string; messageId: string | null }
  | { do: "tool"; session: SessionName; status: "pending" | "in_progress" | "completed" | "failed" }
  | { do: "update"; session: SessionName; kind: (typeof KINDS)[number] }
  | { do: "ask" | "question"; session: SessionName }
  | { do: "finish"; session: SessionName; how: "end_turn" | "refusal" | "nonsense" | "error" }
  | { do: "exit"; session: SessionName; code: number | null };

export const KINDS = [
  "usage_update",
  "available_commands_update",
  "session_info_update",
  "plan",
  "from_the_future",
  "_signalbox/turn_ended",
  "permission_response",
] as const;

export interface IssuedCommand {
  readonly command: ClientCommand;
  /** Whether the client waits for the answer before its next command. */
  readonly isAwaited: boolean;
}

export interface Phase {
  readonly clients: readonly (readonly IssuedCommand[])[];
  readonly agent: readonly AgentAction[];
  /** How many tasks go on before everything they cause is awaited, in turn. */
  readonly bursts: readonly number[];
  /** How many tasks go on before the phase ends; the rest is lost in a crash. */
  readonly steps: number;
  readonly end: "crash" | "stop";
}

export interface Program {
  readonly restore: "resume" | "load" | "none";
  readonly obeysCancel: boolean;
  readonly phases: readonly { plan: Phase; scheduler: fc.Scheduler }[];
}

const session = fc.constantFrom(...SESSIONS);
const at = fc.nat({ max: 7 });

export const clientCommand: fc.Arbitrary<ClientCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("open" as const),
      session,
      policy: fc.constantFrom("ask" as const, "ask" as const, "allow_all" as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("prompt" as const),
      session,
      key: fc.option(fc.nat({ max: 2 })),
      text: fc.nat({ max: 1 }),
      queue: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      session,
      which: fc.constantFrom("running" as const, "known" as const, "unknown" as const),
      at,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      at,
      option: fc.constantFrom("allow" as const, "reject" as const, "bogus" as const),
      digest: fc.constantFrom("none" as const, "right" as const, "wrong" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("answerQuestion" as const),
      at,
      how: fc.constantFrom(
        "accept" as const,
        "misfit" as const,
        "decline" as const,
        "cancel" as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("unload" as const, "delete" as const), session }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("rotateEnv" as const),
      session,
      value: fc.constantFrom("one" as const, "two" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("configure" as const),
      session,
      value: fc.constantFrom("a" as const, "b" as const, "bogus" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("subscribe" as const),
      session,
      from: fc.constantFrom("now" as const, "oldest" as const, "middle" as const),
      slow: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("resume" as const), at, slow: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("drop" as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("read" as const), session }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(300, 10_000, 900_000),
    }),
  },
);

export const agentAction: fc.Arbitrary<AgentAction> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("say" as const, "say" as const, "think" as const),
      session,
      text: fc.constantFrom("one ", "two ", "ü€😀 "),
      messageId: fc.option(fc.constantFrom("m1", "m2")),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("tool" as const),
      session,
      status: fc.constantFrom("pending", "in_progress", "completed", "failed"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("update" as const),
      session,
      kind: fc.constantFrom(...KINDS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("ask" as const, "ask" as const, "question" as const),
      session,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("finish" as const),
      session,
      how: fc.constantFrom("end_turn", "end_turn", "refusal", "nonsense", "error"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("exit" as const),
      session,
      code: fc.constantFrom(0, 1, null),
    }),
  },
);

const issuedCommand: fc.Arbitrary<IssuedCommand> = fc.record({
  command: clientCommand,
  isAwaited: fc.boolean(),
});

const phase: fc.Arbitrary<Phase> = fc.record({
  clients: fc.tuple(
    fc.array(issuedCommand, { maxLength: 14 }).map(opened),
    fc.array(issuedCommand, { maxLength: 8 }),
  ),
  agent: fc.array(agentAction, { maxLength: 14 }),
  bursts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
  steps: fc.integer({ min: 10, max: 160 }),
  end: fc.constantFrom("crash" as const, "stop" as const),
});

/** A run in which nothing is ever open finds nothing. */
function opened(commands: IssuedCommand[]): IssuedCommand[] {
  const command: ClientCommand = { do: "open", session: "main", policy: "ask" };
  return [{ command, isAwaited: true }, ...commands];
}

export const program: fc.Arbitrary<Program> = fc.record({
  restore: fc.constantFrom("resume" as const, "load" as const, "none" as const),
  obeysCancel: fc.boolean(),
  phases: fc.array(fc.record({ plan: phase, scheduler: fc.scheduler() }), {
    minLength: 1,
    maxLength: 3,
  }),
});
