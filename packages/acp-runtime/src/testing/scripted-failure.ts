import type { JsonValue } from "@signalbox/protocol";

/** Throw it from a script or handler to answer with this JSON-RPC error. */
export class ScriptedFailure extends Error {
  override readonly name = "ScriptedFailure";
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
