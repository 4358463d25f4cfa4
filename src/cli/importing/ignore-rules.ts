// Reads the .gitignore files that apply to a folder.

import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { IGNORE_FILE, MAX_IGNORE_BYTES } from "../../importing/file-types.ts";
import { type IgnoreRules, isIgnored, withRules } from "../../importing/ignore-rules.ts";
import { readRegularFile } from "../regular-file.ts";

/**
 * The rules for a folder that was given by name: those of the repository that contains it, up to the folder with
 * `.git`. If they exclude the folder or one above it, they are left out, because it was given.
 */
export function rulesAbove(folder: string): IgnoreRules {
  const parents: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) break;
    const parent = dirname(at);
    if (parent === at) return [];
    parents.unshift(parent);
  }
  let above: IgnoreRules = [];
  for (const parent of parents) {
    if (isPathIgnored(above, parent, true)) return [];
    above = rulesInside(above, parent);
  }
  return isPathIgnored(above, folder, true) ? [] : above;
}

/** The rules inside a folder: the given ones and those of its own .gitignore, if it can be read. */
export function rulesInside(above: IgnoreRules, folder: string): IgnoreRules {
  try {
    return withRules(
      above,
      withSlashes(folder),
      readRegularFile(join(folder, IGNORE_FILE), MAX_IGNORE_BYTES).toString(),
      ignoresCase(folder),
    );
  } catch {
    return above;
  }
}

/** The rules of these patterns for what is inside a folder. */
export const rulesOf = (patterns: readonly string[], folder: string): IgnoreRules =>
  withRules([], withSlashes(folder), patterns.join("\n"), patterns.length > 0 && ignoresCase(folder));

/** Whether the file system finds a folder also if its name is written with other upper and lower case. */
function ignoresCase(folder: string): boolean {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const name = basename(at);
    const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
    if (other === name) continue;
    const same = lstatSync(join(dirname(at), other), { throwIfNoEntry: false });
    if (!same) return false;
    const own = lstatSync(at);
    return same.ino === own.ino && same.dev === own.dev;
  }
  return false;
}

/** Whether the rules exclude a path of this system. */
export const isPathIgnored = (rules: IgnoreRules, path: string, isFolder: boolean) =>
  isIgnored(rules, withSlashes(path), isFolder);

const withSlashes = (path: string) => (sep === "/" ? path : path.replaceAll(sep, "/"));
