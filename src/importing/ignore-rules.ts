// Which files of a folder a person does not want: names matched by .gitignore files, as Git reads them. It does not read files;
// all paths have slashes. Must run in a browser, too.

import ignore, { type Ignore } from "ignore";

interface Rules {
  folder: string;
  rules: Ignore;
}

/** The rules that apply to one folder: those of the folders above it first. */
export type IgnoreRules = readonly Rules[];

/** The rules inside a folder: the given ones and those of the text of its own .gitignore. */
export function withRules(above: IgnoreRules, folder: string, text: string): IgnoreRules {
  return [...above, { folder, rules: ignore({ allowRelativePaths: true }).add(text) }];
}

/** Whether the rules exclude a path inside their folders; those of inner folders take precedence. */
export function isIgnored(all: IgnoreRules, path: string, isFolder: boolean): boolean {
  let ignored = false;
  for (const { folder, rules } of all) {
    const inFolder = path.slice(folder === "" || folder.endsWith("/") ? folder.length : folder.length + 1);
    const result = rules.test(isFolder ? `${inFolder}/` : inFolder);
    if (result.ignored) ignored = true;
    else if (result.unignored) ignored = false;
  }
  return ignored;
}
