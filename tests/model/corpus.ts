import type { Sample } from "./model.ts";

/** Runs that broke a rule once. The path is of the program as it was then: see the README. */
export const corpus: readonly (Sample & { readonly found: string })[] = [
  { seed: 1, path: "91", runs: 1, found: "waiting for a prompt of a deleted session" },
  { seed: 1, path: "11", runs: 1, found: "an agent that says permission_response" },
  { seed: 2, path: "2", runs: 1, found: "a start and a stop that wait for each other" },
  { seed: 2, path: "44", runs: 1, found: "a turn that a stop leaves running" },
];
