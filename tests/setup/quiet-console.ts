/**
 * A warning or an error on the console is a defect nobody asserted on, so it fails the test that
 * caused it. Loaded once for each test file.
 */
const console = globalThis.console;
for (const level of ["error", "warn"] as const) {
  const original = console[level];
  console[level] = (...values: unknown[]) => {
    original(...values);
    throw new Error(`console.${level} was called: ${values.map(String).join(" ")}`);
  };
}
