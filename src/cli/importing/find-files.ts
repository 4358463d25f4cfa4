// Finds the files of an import: walks folders, leaves out hidden and ignored names, and does not follow links.

import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { EXPORT_INDEX, EXPORT_ONLY_FOLDERS, type ExportIndex } from "../../importing/export-layout.ts";
import { isLeftOut, OTHER_TYPE, typeOf } from "../../importing/file-types.ts";
import type { IgnoreRules } from "../../importing/ignore-rules.ts";
import { readExportIndex } from "../export-index.ts";
import { pathProblem } from "../regular-file.ts";
import { isPathIgnored, rulesAbove, rulesInside } from "./ignore-rules.ts";

/** A path that was given to the command and exists. */
interface Root {
  /** The real path. */
  path: string;
  isFolder: boolean;
  /** The collections of an exported folder. */
  index?: ExportIndex;
}

export interface FoundFile {
  /** The real path. */
  path: string;
  root: Root;
}

export interface FoundFiles {
  roots: Root[];
  files: FoundFile[];
  /** Files of other types, and links. */
  skipped: { path: string; reason: string }[];
  /** Files and folders that could not be read. */
  failed: { path: string; reason: string }[];
}

/** Finds the files at the given paths, each once, in the order of their names. A path that is missing is a failure. */
export function findFiles(paths: readonly string[]): FoundFiles {
  const found: FoundFiles = { roots: [], files: [], skipped: [], failed: [] };
  const seen = new Set<string>();
  for (const given of paths) {
    try {
      // The system would read an empty path, such as an unset variable of a script, as the current folder.
      if (given === "") throw Object.assign(new Error("the path is empty"), { code: "ENOENT" });
      const path = realpathSync(given);
      const stats = statSync(path);
      const root: Root = { path, isFolder: stats.isDirectory() };
      found.roots.push(root);
      const inside = { found, seen, root, isExport: root.isFolder && findIndex(root, found) };
      if (root.isFolder) walkFolder(path, rulesInside(rulesAbove(path), path), inside);
      else addFile(path, stats, inside);
    } catch (error) {
      found.failed.push({ path: given, reason: pathProblem(error) });
    }
  }
  return found;
}

/** Reads the collections of an exported folder into its root. Returns whether it is one; one that is damaged is a failure, too. */
function findIndex(root: Root, { failed }: FoundFiles): boolean {
  try {
    root.index = readExportIndex(root.path);
    return root.index !== undefined;
  } catch (error) {
    failed.push({ path: join(root.path, EXPORT_INDEX), reason: pathProblem(error) });
    return true;
  }
}

interface Inside {
  found: FoundFiles;
  seen: Set<string>;
  root: Root;
  /** Whether the root was written by `export`. */
  isExport: boolean;
}

/** Recursion is as deep as the folders, whose paths the system bounds. */
function walkFolder(folder: string, rules: IgnoreRules, inside: Inside): void {
  const { found, root, isExport } = inside;
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    found.failed.push({ path: folder, reason: pathProblem(error) });
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isUnreadableName(path)) {
      found.failed.push({ path, reason: "its name is not valid UTF-8: rename it" });
      continue;
    }
    if (isLeftOut(entry.name)) continue;
    if (isPathIgnored(rules, path, entry.isDirectory())) continue;
    if (isExport && folder === root.path) {
      if (entry.name === EXPORT_INDEX || EXPORT_ONLY_FOLDERS.has(entry.name)) continue;
    }
    if (entry.isDirectory()) walkFolder(path, rulesInside(rules, path), inside);
    else if (entry.isSymbolicLink()) addLink(path, inside);
    else addFile(path, entry, inside);
  }
}

/** Bytes that are not UTF-8 are read as U+FFFD, and nothing is found at such a path. */
function isUnreadableName(path: string): boolean {
  return basename(path).includes("\ufffd") && lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/** A link is left out: its target is imported itself if it is in the folder, and not wanted otherwise. */
function addLink(path: string, { found, root }: Inside): void {
  try {
    const target = realpathSync(path);
    const isInside = target === root.path || target.startsWith(root.path + sep);
    if (statSync(target).isFile() && typeOf(path) === undefined) return;
    found.skipped.push({
      path,
      reason: isInside ? "is a link inside the folder" : "is a link out of the folder",
    });
  } catch {
    found.skipped.push({ path, reason: "is a link to nothing" });
  }
}

function addFile(path: string, kind: Pick<Dirent, "isFile">, { found, seen, root }: Inside): void {
  if (!kind.isFile()) found.skipped.push({ path, reason: "is not a regular file" });
  else if (typeOf(path) === undefined) {
    found.skipped.push({ path, reason: OTHER_TYPE });
  } else if (!seen.has(path)) {
    seen.add(path);
    found.files.push({ path, root });
  }
}

/** Whether a file that was not found is certainly gone: nothing is at its path, and its folders could be read. */
export function isGone(path: string, { failed }: Pick<FoundFiles, "failed">): boolean {
  if (failed.some((failure) => path === failure.path || path.startsWith(failure.path + sep))) return false;
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code ?? "");
  }
}
