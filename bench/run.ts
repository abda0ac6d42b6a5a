import { benchDurableEvents } from "./durable-events.ts";
import { benchPromptLatency } from "./prompt-latency.ts";
import { benchUpdateThroughput } from "./update-throughput.ts";

await benchPromptLatency();
await benchUpdateThroughput();
await benchDurableEvents();
