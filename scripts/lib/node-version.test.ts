import { expect, test } from "vitest";
import { nodeVersionComplaint } from "./node-version.mjs";

test.for(["20.19.0", "20.20.2", "22.0.0", "24.21.0"])("Node %s will do", (version) => {
  expect(nodeVersionComplaint(version)).toBeNull();
});

test.for(["18.20.4", "20.18.3", "16.0.0"])("Node %s is refused in one sentence", (version) => {
  const complaint = nodeVersionComplaint(version);
  expect(complaint).toContain("needs Node 20.19 or newer");
  expect(complaint).toContain(`this is Node ${version}`);
  expect(complaint).not.toContain("\n");
});
