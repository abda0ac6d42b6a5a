export { countMarked } from "../adapter/mark-sweep.ts";
export {
  type ScriptedAgent,
  ScriptedFailure,
  type ScriptedTurn,
  scriptedAgent,
} from "./scripted-agent.ts";
export { OPERATOR, type TestRuntime, testRuntime } from "./test-runtime.ts";
