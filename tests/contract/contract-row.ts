/** One promise to clients, and the tests that would fail if it were broken. */
export interface ContractRow {
  readonly sentence: string;
  /** Each as `<file> › <title>`, the title as it stands in the source. */
  readonly tests: readonly string[];
}
