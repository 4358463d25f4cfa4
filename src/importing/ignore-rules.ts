// Which files of a folder a person does not want: names matched by .gitignore files. It does not read files; all paths
// have slashes. Must run in a browser, too.

import { type IgnorePattern, parsePattern } from "./ignore-pattern.ts";

interface Rules {
  folder: string;
  patterns: readonly IgnorePattern[];
}

/** The rules that apply to one folder: those of the folders above it first. */
export type IgnoreRules = readonly Rules[];

/**
 * The rules inside a folder: the given ones and those of the text of its own .gitignore. `ignoresCase` is true where
 * the file system does not distinguish upper and lower case.
 */
export function withRules(
  above: IgnoreRules,
  folder: string,
  text: string,
  ignoresCase = false,
): IgnoreRules {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  return [...above, { folder, patterns: lines.flatMap((line) => parsePattern(line, ignoresCase) ?? []) }];
}

/**
 * Whether the rules exclude a path inside their folders, whose folders are not excluded. The last line that matches
 * decides; those of inner folders take precedence.
 */
export function isIgnored(all: IgnoreRules, path: string, isFolder: boolean): boolean {
  for (const { folder, patterns } of all.toReversed()) {
    const inFolder = path.slice(folder === "" || folder.endsWith("/") ? folder.length : folder.length + 1);
    const last = patterns.findLast((pattern) => pattern.matches(inFolder, isFolder));
    if (last) return !last.isNegated;
  }
  return false;
}
