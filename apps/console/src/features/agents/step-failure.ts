import type { ErrorCode } from "@signalbox/protocol";

const WORDS: Partial<Record<ErrorCode, string>> = {
  auth_required: "It wants a login first.",
  adapter_timeout: "It did not answer in time.",
  adapter_spawn_failed: "It could not be started, or ended before it answered.",
  adapter_exited: "It ended before it answered.",
  adapter_protocol_error: "It answered with an error.",
};

/** Why a step of a trial start failed, in one line. */
export function stepFailure({
  appCode,
  details,
}: {
  appCode: ErrorCode;
  details: Readonly<Record<string, unknown>> | null;
}): string {
  const facts = [
    textOf(details?.rpcMessage),
    typeof details?.exitCode === "number" ? `exit code ${details.exitCode}` : null,
    typeof details?.signal === "string" ? `ended by ${details.signal}` : null,
    typeof details?.max === "number" ? `after ${details.max / 1_000} s` : null,
  ].filter((fact) => fact !== null);
  const sentence = WORDS[appCode] ?? "It failed.";
  return facts.length === 0 ? sentence : `${sentence} (${facts.join(", ")})`;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
