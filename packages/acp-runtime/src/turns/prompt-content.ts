import { createHash, randomUUID } from "node:crypto";
import type { NewEvent } from "@signalbox/db";
import {
  type AcpLimits,
  AppError,
  type ContentBlock,
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  limitError,
  limitPath,
  utf8Bytes,
} from "@signalbox/protocol";

/** Fields without which a block means nothing, by ACP's content block types. */
const REQUIRED_FIELDS: Record<string, readonly string[]> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
  resource: ["resource"],
};

/** The `promptCapabilities` marker that a block type needs; the others are always allowed. */
const NEEDED_CAPABILITY: Record<string, string> = {
  image: "image",
  audio: "audio",
  resource: "embeddedContext",
};

export interface CheckedContent {
  readonly blocks: ContentBlock[];
  readonly text: string;
  readonly hash: string;
}

/**
 * Checks a prompt before anything happens.
 *
 * @throws AppError `bad_request` for none, `prompt_too_large`, `invalid_content_block`
 */
export function checkContent(content: readonly unknown[], limits: AcpLimits): CheckedContent {
  if (content.length === 0) {
    throw new AppError("bad_request", "content is empty; a prompt has at least one block", {
      details: { field: "content" },
    });
  }
  if (content.length > limits.maxPromptBlocks) {
    throw tooLarge("maxPromptBlocks", limits.maxPromptBlocks, content.length, "blocks");
  }
  const blocks = content.map(checkBlock);
  if (blocks.every((block) => block.type === "text" && block.text === "")) {
    throw new AppError("bad_request", "content is empty; a prompt says or shows something", {
      details: { field: "content" },
    });
  }
  const text = JSON.stringify(blocks);
  const bytes = utf8Bytes(text);
  if (bytes > limits.maxPromptBytes) {
    throw tooLarge("maxPromptBytes", limits.maxPromptBytes, bytes, "bytes");
  }
  const hash = createHash("sha256").update(canonicalJson(blocks)).digest("hex");
  return { blocks, text, hash };
}

function tooLarge(
  limit: "maxPromptBlocks" | "maxPromptBytes",
  max: number,
  actual: number,
  unit: string,
): AppError {
  return limitError(
    "prompt_too_large",
    `prompt has ${actual} ${unit}, limit ${max} (${limitPath(limit)})`,
    { limit: limitPath(limit), max, actual },
  );
}

function checkBlock(value: unknown, index: number): ContentBlock {
  const refuse = (problem: string) =>
    new AppError("invalid_content_block", `content.${index} ${problem}`, {
      details: { field: `content.${index}`, problem },
    });
  if (!isJsonObject(value) || typeof value.type !== "string") throw refuse("has no type");
  const required = REQUIRED_FIELDS[value.type];
  if (!required) throw refuse(`has the unknown type ${value.type}`);
  for (const field of required) {
    const isPresent =
      field === "resource" ? isJsonObject(value[field]) : typeof value[field] === "string";
    if (!isPresent) throw refuse(`lacks ${field}`);
  }
  return { ...value, type: value.type };
}

/**
 * @param capabilities the agent's as last negotiated; null before that
 * @throws AppError `unsupported_content`
 */
export function checkCapabilities(
  blocks: readonly ContentBlock[],
  capabilities: JsonObject | null,
): void {
  const offered: JsonValue | undefined = capabilities?.promptCapabilities;
  blocks.forEach((block, index) => {
    const needed = NEEDED_CAPABILITY[block.type];
    if (needed === undefined) return;
    if (isJsonObject(offered) && offered[needed] === true) return;
    throw new AppError(
      "unsupported_content",
      `content.${index} is ${block.type}, which the agent does not take`,
      { details: { field: `content.${index}`, capability: needed } },
    );
  });
}

/** The user message of a prompt: one event for each block, one `messageId`. */
export function userEvents(
  promptId: string,
  blocks: readonly ContentBlock[],
  now: number,
): NewEvent[] {
  const messageId = randomUUID();
  return blocks.map((content) => ({
    type: "user_message_chunk",
    promptId,
    fields: JSON.stringify({ content, messageId }),
    timestamp: now,
  }));
}
