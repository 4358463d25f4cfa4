// Which files of a folder a person does not want: names matched by .gitignore files, as Git reads them.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";

interface Rules {
  folder: string;
  rules: Ignore;
}

/** The rules that apply to one folder: those of the folders above it first. */
export type IgnoreRules = readonly Rules[];

const FILE = ".gitignore";

/**
 * The rules for a folder that was given by name: those of the repository that contains it, up to the folder with `.git`. If
 * they exclude the folder itself, they are left out, because it was given.
 */
export function rulesAbove(folder: string): IgnoreRules {
  const parents: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) break;
    const parent = dirname(at);
    if (parent === at) return [];
    parents.unshift(parent);
  }
  const above = parents.reduce<IgnoreRules>((rules, parent) => rulesInside(rules, parent), []);
  return isIgnored(above, folder, true) ? [] : above;
}

/** The rules inside a folder: the given ones and those of its own .gitignore, if it can be read. */
export function rulesInside(above: IgnoreRules, folder: string): IgnoreRules {
  try {
    const rules = ignore({ allowRelativePaths: true }).add(readFileSync(join(folder, FILE), "utf8"));
    return [...above, { folder, rules }];
  } catch {
    return above;
  }
}

/** Whether the rules exclude a path; those of inner folders take precedence. */
export function isIgnored(all: IgnoreRules, path: string, isFolder: boolean): boolean {
  let ignored = false;
  for (const { folder, rules } of all) {
    const inFolder = relative(folder, path).split(sep).join("/");
    const result = rules.test(isFolder ? `${inFolder}/` : inFolder);
    if (result.ignored) ignored = true;
    else if (result.unignored) ignored = false;
  }
  return ignored;
}
