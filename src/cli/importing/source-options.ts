// The options of an import that say how the files of a folder are imported; `folders add` has the same.

import { type Command, InvalidArgumentError, Option } from "commander";
import { FILE_TYPES } from "../../importing/file-types.ts";
import { badRequest } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { tagProblems } from "../../kernel/tags.ts";
import { utf8Length } from "../../kernel/text.ts";
import { collect } from "../client-options.ts";
import type { SourceOptions } from "./sources.ts";

export interface SourceFlags {
  tag?: string[];
  collection?: string;
  kind?: string[];
  code?: boolean;
  exclude?: string[];
}

const MAX_PATTERNS = 100;
const MAX_PATTERN_UNITS = 1_024;

/** Adds --tag, --collection, --kind and --exclude. */
export function withSourceOptions(command: Command): Command {
  return command
    .option("--tag <TAG>", "add this tag to every record; repeatable", collect)
    .option(
      "--collection <NAME>",
      "add the records to this collection, which is created if it does not exist",
    )
    .addOption(kindOption())
    .option("--code", "also source code, divided into its definitions")
    .option("--exclude <PATTERN>", "leave out what matches, as in a .gitignore; repeatable", collect);
}

/** Throws `bad-request` naming the option. */
export function checkSourceOptions({ tag = [], collection, exclude = [] }: SourceFlags): void {
  const [problem] = tagProblems(tag, "--tag");
  if (problem) throw badRequest({ ...problem, path: "--tag" });
  const isName = collection === undefined || collection.trim() !== "";
  if (!isName || utf8Length(collection ?? "") > LIMITS.title.bytes) {
    throw badRequest({ path: "--collection", message: `must have 1 to ${LIMITS.title.bytes} bytes` });
  }
  const isPattern = (text: string) =>
    text.trim() !== "" && text.length <= MAX_PATTERN_UNITS && !/[\r\n\0]/.test(text);
  if (exclude.length > MAX_PATTERNS || !exclude.every(isPattern)) {
    const message = `must be a line as in a .gitignore, at most ${MAX_PATTERN_UNITS} characters and ${MAX_PATTERNS} times`;
    throw badRequest({ path: "--exclude", message });
  }
}

/** The options with which a folder is imported and remembered. */
export function sourceOptions({
  tag = [],
  collection,
  kind = [],
  code = false,
  exclude = [],
}: SourceFlags): SourceOptions {
  const kinds = !code ? kind : kind.length > 0 ? [...new Set([...kind, "code"])] : [...FILE_TYPES];
  return { collection, tags: tag, kinds, exclude };
}

/** The parser of `choices` keeps only the last value. */
function kindOption(): Option {
  const option = new Option("--kind <KIND>", "only files of this kind; repeatable").choices(FILE_TYPES);
  return option.argParser((value: string, before: string[] = []) => {
    if ((FILE_TYPES as readonly string[]).includes(value)) return [...before, value];
    throw new InvalidArgumentError(`Allowed choices are ${FILE_TYPES.join(", ")}.`);
  });
}
