/** A name that nothing sets but what was run out of a hostile text. */
export const SENTINEL = "signalboxOwned";
