export { countMarked } from "../adapter/mark-sweep.ts";
export { type ScriptedAgent, type ScriptedTurn, scriptedAgent } from "./scripted-agent.ts";
export { ScriptedFailure } from "./scripted-failure.ts";
export { OPERATOR, type TestRuntime, testRuntime } from "./test-runtime.ts";
