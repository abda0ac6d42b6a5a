import type { ServerResponse } from "node:http";
import { StringDecoder } from "node:string_decoder";
import { ExactText } from "@signalbox/api";

/** Has every event in the answer written as its exact text, whatever pieces the answer comes in. */
export function writeExactly(response: ServerResponse): void {
  const decoder = new StringDecoder("utf8");
  const exact = new ExactText();
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  response.write = (chunk: unknown): boolean => {
    const text = exact.push(typeof chunk === "string" ? chunk : decoder.write(toBuffer(chunk)));
    // A piece that is held back whole leaves nothing to wait for.
    return text === "" ? true : write(text);
  };
  response.end = (...last: unknown[]): ServerResponse => {
    const [chunk] = last;
    if (typeof chunk === "string" || chunk instanceof Uint8Array) response.write(chunk);
    const rest = exact.push(decoder.end()) + exact.end();
    return rest === "" ? end() : end(rest);
  };
}

function toBuffer(chunk: unknown): Buffer {
  if (chunk instanceof Uint8Array) {
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  throw new Error("an answer is written as text or bytes");
}
