import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { closingLine, countPlaywright, countVitest, sum } from "./test-report.mjs";

function report(content: object) {
  const folder = mkdtempSync(path.join(tmpdir(), "signalbox-report-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "report.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function vitestReport(numPassedTests: number, numTotalTests: number, testResults: object[] = []) {
  return report({ numPassedTests, numTotalTests, testResults });
}

function playwrightReport(stats: Partial<Record<string, number>>) {
  return report({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats } });
}

test("what passed is counted", () => {
  expect(countVitest(vitestReport(7, 7), 0)).toEqual({ passed: 7, failed: 0 });
  expect(countPlaywright(playwrightReport({ expected: 3 }), 0)).toEqual({ passed: 3, failed: 0 });
});

test("a skipped test counts as failed", () => {
  expect(countVitest(vitestReport(6, 7), 0).failed).toBe(1);
  expect(countPlaywright(playwrightReport({ expected: 2, skipped: 1 }), 0).failed).toBe(1);
});

test("a test that needed a second try counts as failed", () => {
  expect(countPlaywright(playwrightReport({ expected: 2, flaky: 1 }), 0).failed).toBe(1);
});

test("a test file that would not load counts as failed", () => {
  const broken = { status: "failed", assertionResults: [] };
  expect(countVitest(vitestReport(6, 6, [broken]), 1)).toEqual({ passed: 6, failed: 1 });
});

test("a runner that ends badly counts as failed though every test passed", () => {
  expect(countVitest(vitestReport(6, 6), 1).failed).toBe(1);
  expect(countPlaywright(playwrightReport({ expected: 6 }), 1).failed).toBe(1);
});

test("a run without a report or without a test counts as failed", () => {
  expect(countVitest("/nowhere/report.json", 0)).toEqual({ passed: 0, failed: 1 });
  expect(countPlaywright(playwrightReport({}), 0)).toEqual({ passed: 0, failed: 1 });
});

test("the closing line adds up both runners", () => {
  const total = sum([
    { passed: 7, failed: 0 },
    { passed: 3, failed: 1 },
  ]);
  expect(closingLine(total)).toBe("10 passed, 1 failed");
});
