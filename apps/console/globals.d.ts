declare module "*.css";

/**
 * Next declares NODE_ENV as always present, for every package that is checked together with it.
 * The environment of a child process need not have one.
 */
declare namespace NodeJS {
  interface ProcessEnv {
    readonly NODE_ENV?: "development" | "production" | "test";
  }
}
