// Reads what a language model said: lenient about what stands around the JSON, strict about what is in it. It knows neither
// server nor evidence.

import { cutUnits } from "../../kernel/text.ts";
import { inertBlocks } from "./plain.ts";

export interface ModelAnswer {
  answer: string;
  gaps: string[];
  conflicts: string[];
}

const MOST_CHARACTERS = 20_000;
const MOST_LINES = 20;
const MOST_LINE_CHARACTERS = 2_000;

/** The answer in a model's text, or undefined when there is no object with an answer that is a text and not blank. */
export function readModelAnswer(said: string): ModelAnswer | undefined {
  const found = objectIn(said);
  if (!found || typeof found.answer !== "string" || found.answer.trim() === "") return undefined;
  const [gaps, conflicts] = [linesOf(found.gaps), linesOf(found.conflicts)];
  if (!gaps || !conflicts || found.answer.length > MOST_CHARACTERS) return undefined;
  return { answer: inertBlocks(found.answer.trim()), gaps, conflicts };
}

/** The whole text as JSON, or what stands between its first and its last brace. */
function objectIn(text: string): Record<string, unknown> | undefined {
  for (const candidate of [text, text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>;
    } catch {
      // Models like to wrap JSON in fences and talk.
    }
  }
  return undefined;
}

/** A list of texts; none where it is left out, undefined where it is something else. */
function linesOf(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.some((line) => typeof line !== "string")) return undefined;
  return (value as string[])
    .map((line) => inertBlocks(cutUnits(line.trim(), MOST_LINE_CHARACTERS)))
    .filter((line) => line !== "")
    .slice(0, MOST_LINES);
}
