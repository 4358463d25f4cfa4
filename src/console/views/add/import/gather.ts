// The files of a drop or a choice, with their paths.

import { IGNORE_FILE, isLeftOut } from "../../../../importing/file-types.ts";

/** A file with its path inside what was dropped, with slashes. */
export interface Gathered {
  path: string;
  file: File;
}

/** The files of a drop, folders included. The handles are only valid during the event, so they are taken at once. */
export async function filesOfDrop(data: DataTransfer): Promise<Gathered[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const gathered: Gathered[] = [];
  for (const entry of entries) await gather(entry, gathered);
  return gathered;
}

/** The files of a file input. */
export const filesOfInput = (files: FileList): Gathered[] =>
  [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

async function gather(entry: FileSystemEntry, into: Gathered[]): Promise<void> {
  if (isLeftOut(entry.name) && entry.name !== IGNORE_FILE) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    into.push({ path: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A folder is read in parts, until one is empty.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return;
    for (const inner of part) await gather(inner, into);
  }
}
