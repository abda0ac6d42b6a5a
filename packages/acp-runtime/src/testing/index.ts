export {
  type ScriptedAgent,
  ScriptedFailure,
  type ScriptedTurn,
  scriptedAgent,
} from "./scripted-agent.ts";
export { type TestRuntime, testRuntime } from "./test-runtime.ts";
