import { randomUUID } from "node:crypto";

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
  // The variant and the random part are those of a version 4 UUID, whose entropy Node keeps ready.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${randomUUID().slice(19)}`;
}
