const FIRST = [
  "amber",
  "brisk",
  "calm",
  "clear",
  "copper",
  "early",
  "green",
  "iron",
  "ivory",
  "keen",
  "lunar",
  "mellow",
  "north",
  "open",
  "quiet",
  "rapid",
  "silver",
  "steady",
  "swift",
  "violet",
];
const SECOND = [
  "arrival",
  "beacon",
  "bridge",
  "crossing",
  "depot",
  "express",
  "halt",
  "junction",
  "lantern",
  "lever",
  "loop",
  "platform",
  "points",
  "semaphore",
  "shunter",
  "siding",
  "sleeper",
  "switch",
  "tunnel",
  "viaduct",
];

/**
 * A session id that can be read aloud, such as `quiet-junction-4821`.
 *
 * @param random gives numbers from 0 up to 1
 */
export function readableSlug(random: () => number = Math.random): string {
  const pick = (words: string[]) => words[Math.floor(random() * words.length)] ?? "session";
  const number = 1000 + Math.floor(random() * 9000);
  return `${pick(FIRST)}-${pick(SECOND)}-${number}`;
}
