/** The product's version; the same in every package. */
export const VERSION = "0.1.0";
