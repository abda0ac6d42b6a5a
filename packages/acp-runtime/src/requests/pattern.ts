import type { MatchesPattern } from "@signalbox/protocol";
import { RE2JS, RE2JSException } from "re2js";

/** Beyond these a pattern is not evaluated: even in linear time it would hold up everyone else. */
const MAX_PATTERN_CHARACTERS = 500;
const MAX_VALUE_CHARACTERS = 2_000;
const MAX_PATTERNS_PER_ANSWER = 20;

/**
 * Evaluates the patterns of one answer in linear time, since whoever wrote them is not trusted.
 * Look-around and back references have no such time; a pattern with them tells nothing.
 */
export function boundedPatterns(): MatchesPattern {
  let left = MAX_PATTERNS_PER_ANSWER;
  return (pattern, value) => {
    if (pattern.length > MAX_PATTERN_CHARACTERS || value.length > MAX_VALUE_CHARACTERS) return null;
    if (left === 0) return null;
    left -= 1;
    try {
      return RE2JS.compile(RE2JS.translateRegExp(pattern)).matcher(value).find();
    } catch (error) {
      if (error instanceof RE2JSException) return null;
      throw error;
    }
  };
}
