// Parses the reply of a language model: lenient about text around the JSON, strict about its content.

import { cutUnits } from "../../kernel/text.ts";
import { inertBlocks } from "../../engine/markdown/shown.ts";

export interface ModelAnswer {
  answer: string;
  gaps: string[];
  conflicts: string[];
}

const MAX_ANSWER_UNITS = 20_000;
const MAX_LINES = 20;
const MAX_LINE_UNITS = 2_000;

/** The answer in a model's reply; undefined without a JSON object whose `answer` is a string that is not blank. */
export function readModelAnswer(said: string): ModelAnswer | undefined {
  const found = objectIn(said);
  if (!found || typeof found.answer !== "string" || found.answer.trim() === "") return undefined;
  const [gaps, conflicts] = [linesOf(found.gaps), linesOf(found.conflicts)];
  if (!gaps || !conflicts || found.answer.length > MAX_ANSWER_UNITS) return undefined;
  return { answer: inertBlocks(found.answer.trim()), gaps, conflicts };
}

/** The object in the whole text, or between its first and its last brace. */
function objectIn(text: string): Record<string, unknown> | undefined {
  for (const candidate of [text, text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>;
    } catch {
      // Models often surround JSON with fences and sentences.
    }
  }
  return undefined;
}

/** A list of strings; empty if it is missing, undefined if it is something else. */
function linesOf(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.some((line) => typeof line !== "string")) return undefined;
  return (value as string[])
    .map((line) => inertBlocks(cutUnits(line.trim(), MAX_LINE_UNITS)))
    .filter((line) => line !== "")
    .slice(0, MAX_LINES);
}
