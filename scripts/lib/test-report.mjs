/**
 * Counts of a finished test run. A run counts as failed when anything in it did not pass: a
 * skipped test, a file that would not load, or a runner that ended badly with no test to blame.
 */
import { existsSync, readFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number }} Counts */

/**
 * @param {string} reportFile written by vitest's JSON reporter
 * @param {number} exitCode of vitest
 * @returns {Counts}
 */
export function countVitest(reportFile, exitCode) {
  if (!existsSync(reportFile)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(reportFile, "utf8"));
  const brokenFiles = report.testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  return blameRunner(
    report.numPassedTests,
    report.numTotalTests - report.numPassedTests + brokenFiles,
    exitCode,
  );
}

/**
 * @param {string} reportFile written by Playwright's JSON reporter
 * @param {number} exitCode of Playwright
 * @returns {Counts}
 */
export function countPlaywright(reportFile, exitCode) {
  if (!existsSync(reportFile)) return { passed: 0, failed: 1 };
  const { stats } = JSON.parse(readFileSync(reportFile, "utf8"));
  return blameRunner(stats.expected, stats.unexpected + stats.flaky + stats.skipped, exitCode);
}

/**
 * @param {number} passed
 * @param {number} failed
 * @param {number} exitCode
 * @returns {Counts}
 */
function blameRunner(passed, failed, exitCode) {
  const hasUnexplainedFailure = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: hasUnexplainedFailure ? 1 : failed };
}

/** @param {Counts[]} counts */
export function sum(counts) {
  return counts.reduce((total, { passed, failed }) => ({
    passed: total.passed + passed,
    failed: total.failed + failed,
  }));
}

/** @param {Counts} counts */
export function closingLine({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}
