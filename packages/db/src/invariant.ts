/** A query whose every row, of `sessionId`, `subject` and `message`, is a violation. */
export interface Invariant {
  readonly name: string;
  readonly sql: string;
}
