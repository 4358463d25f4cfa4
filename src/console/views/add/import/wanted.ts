// Leaves out the files that a person does not want: hidden names, node_modules, names in .gitignore files, and what an
// exported folder contains besides records.

import {
  EXPORT_INDEX,
  EXPORT_ONLY_FOLDERS,
  MAX_INDEX_BYTES,
  parseExportIndex,
} from "../../../../importing/export-layout.ts";
import { IGNORE_FILE, isLeftOut, MAX_IGNORE_BYTES } from "../../../../importing/file-types.ts";
import { type IgnoreRules, isIgnored, withRules } from "../../../../importing/ignore-rules.ts";
import type { Gathered } from "./gather.ts";

/** The files that a person wants, by path, and the indexes of exported folders among them by the path of the folder. */
export async function wanted(files: readonly Gathered[]) {
  const rules = await rulesByFolder(files);
  const exports = new Map(
    (await Promise.all(files.filter(({ path }) => /^[^/]+\/[^/]+$/.test(path)).map(exportOf))).flat(),
  );
  const isOfExport = (path: string) => {
    const [folder = "", second = ""] = path.split("/");
    return exports.has(folder) && (second === EXPORT_INDEX || EXPORT_ONLY_FOLDERS.has(second));
  };
  const kept = files.filter(({ path }) => !isUnwanted(path, rules) && !isOfExport(path));
  return { files: kept.sort((a, b) => (a.path < b.path ? -1 : 1)), exports };
}

async function exportOf({ path, file }: Gathered) {
  const [folder = "", name] = path.split("/");
  if (name !== EXPORT_INDEX || file.size > MAX_INDEX_BYTES) return [];
  const index = parseExportIndex(await file.text());
  return index ? [[folder, index] as const] : [];
}

/** The texts of the .gitignore files by their folders. */
async function rulesByFolder(files: readonly Gathered[]): Promise<ReadonlyMap<string, string>> {
  const ofRules = files.filter(
    ({ path, file }) =>
      (path === IGNORE_FILE || path.endsWith(`/${IGNORE_FILE}`)) && file.size <= MAX_IGNORE_BYTES,
  );
  return new Map(
    await Promise.all(
      ofRules.map(
        async ({ path, file }) => [path.slice(0, -IGNORE_FILE.length - 1), await file.text()] as const,
      ),
    ),
  );
}

/** Whether a file, or a folder that contains it, is left out. */
function isUnwanted(path: string, texts: ReadonlyMap<string, string>): boolean {
  const names = path.split("/");
  let [folder, rules]: [string, IgnoreRules] = ["", []];
  for (const [index, name] of names.entries()) {
    const text = texts.get(folder);
    if (text !== undefined) rules = withRules(rules, folder, text);
    const at = folder === "" ? name : `${folder}/${name}`;
    // What was dropped itself is wanted, as a folder that is named in a command.
    if (index > 0 && isIgnored(rules, at, index < names.length - 1)) return true;
    if (isLeftOut(name)) return true;
    folder = at;
  }
  return false;
}
