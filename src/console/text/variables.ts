// What a prompt says about its placeholders as text, one variable a line, so that it is drafted, compared and merged as
// every other field.

import { placeholdersIn } from "../../kernel/placeholders.ts";

const TYPES = ["string", "number", "boolean"] as const;

/** A variable as the API has it. */
export interface Variable {
  name: string;
  type: (typeof TYPES)[number];
  description?: string;
}

/** Variables as text: the name, the type and the description, separated by tabs. */
export const variablesText = (variables: readonly Variable[]): string =>
  variables
    .map(({ name, type, description = "" }) => [name, type, ...(description === "" ? [] : [description])])
    .map((parts) => `${parts.map((part) => part.replace(/[\t\n\r]+/g, " ")).join("\t")}\n`)
    .join("");

/** The variables of the placeholders in a text, as they are described, or texts without a description. */
export function variablesFor(content: string, described: string): Variable[] {
  const lines = described.split("\n").map((line) => line.split("\t"));
  return placeholdersIn(content).map((name) => {
    const [, written, description = ""] = lines.find((line) => line[0] === name) ?? [];
    const type = TYPES.find((known) => known === written) ?? "string";
    return { name, type, ...(description !== "" && { description }) };
  });
}
