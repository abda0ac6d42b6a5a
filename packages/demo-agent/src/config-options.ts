import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";

export const configSchema = z.object({
  mode: z.enum(["ask", "auto", "plan"]),
  model: z.enum(["demo-swift", "demo-thorough"]),
  thoughtLevel: z.enum(["off", "brief", "deep"]),
  concise: z.boolean(),
});

export type Config = z.infer<typeof configSchema>;

export const DEFAULT_CONFIG: Config = {
  mode: "ask",
  model: "demo-swift",
  thoughtLevel: "brief",
  concise: false,
};

const MODES = [
  { id: "ask", name: "Ask", description: "Asks before it changes anything" },
  { id: "auto", name: "Auto", description: "Acts without asking" },
  { id: "plan", name: "Plan", description: "Plans and explains, changes nothing" },
];

const MODELS = [
  {
    value: "demo-swift",
    name: "Demo Swift",
    description: "Small and cheap, as far as a script is",
  },
  { value: "demo-thorough", name: "Demo Thorough", description: "Costs five times as much" },
];

const THOUGHT_LEVELS = [
  { value: "off", name: "Off", description: "Shows no thoughts" },
  { value: "brief", name: "Brief", description: "Thinks a sentence or two aloud" },
  { value: "deep", name: "Deep", description: "Thinks at length" },
];

/** What one model costs and holds; the cost is in millionths of a US dollar a token. */
export const MODEL_FIGURES: Record<Config["model"], { microUsdPerToken: number; size: number }> = {
  "demo-swift": { microUsdPerToken: 3, size: 200_000 },
  "demo-thorough": { microUsdPerToken: 15, size: 1_000_000 },
};

export function modelName(model: Config["model"]): string {
  return MODELS.find((entry) => entry.value === model)?.name ?? model;
}

export function modeState(config: Config): SessionModeState {
  return { currentModeId: config.mode, availableModes: MODES };
}

/**
 * The options as the client sees them.
 *
 * @param withBoolean whether the client said that it understands boolean options
 */
export function configOptions(config: Config, withBoolean: boolean): SessionConfigOption[] {
  const options: SessionConfigOption[] = [
    {
      id: "mode",
      name: "Mode",
      category: "mode",
      type: "select",
      currentValue: config.mode,
      options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      id: "model",
      name: "Model",
      description: "Changes the price and the size of the context, not the wit",
      category: "model",
      type: "select",
      currentValue: config.model,
      options: MODELS,
    },
    {
      id: "thought_level",
      name: "Thinking",
      category: "thought_level",
      type: "select",
      currentValue: config.thoughtLevel,
      options: THOUGHT_LEVELS,
    },
  ];
  if (withBoolean) {
    options.push({
      id: "concise",
      name: "Concise replies",
      description: "Answers free text in one sentence",
      category: "model_config",
      type: "boolean",
      currentValue: config.concise,
    });
  }
  return options;
}

const FIELD_OF_OPTION = new Map<string, keyof Config>([
  ["mode", "mode"],
  ["model", "model"],
  ["thought_level", "thoughtLevel"],
  ["concise", "concise"],
]);

/**
 * The configuration with one option changed.
 *
 * @throws RequestError -32602 for an unknown option or a value that was not offered
 */
export function withOption(config: Config, configId: string, value: string | boolean): Config {
  const field = FIELD_OF_OPTION.get(configId);
  if (field === undefined) {
    throw RequestError.invalidParams({ configId }, `unknown config option ${configId}`);
  }
  const changed = configSchema.safeParse({ ...config, [field]: value });
  if (!changed.success) {
    throw RequestError.invalidParams({ configId, value }, `${configId} cannot be ${value}`);
  }
  return changed.data;
}
