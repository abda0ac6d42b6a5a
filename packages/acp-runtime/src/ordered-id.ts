import { randomBytes } from "node:crypto";

const COUNTER_LIMIT = 0x1000;

let lastMs = 0;
let counter = 0;

/**
 * A version 7 UUID (RFC 9562): unique everywhere, and sorting as text in the order it was made,
 * within one millisecond too.
 */
export function orderedId(): string {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else {
    counter += 1;
    if (counter === COUNTER_LIMIT) {
      lastMs += 1;
      counter = 0;
    }
  }
  const time = lastMs.toString(16).padStart(12, "0");
  const order = counter.toString(16).padStart(3, "0");
  const random = randomBytes(8);
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const tail = random.toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}
