// The files of a drop or a choice, without what a person does not want: hidden names, node_modules, names in .gitignore files,
// and other types. The rules are those of `ctxrepo import`.

/** A file with its path inside what was dropped, with slashes. */
export interface Gathered {
  path: string;
  file: File;
}

const ACCEPTED = /\.(md|markdown|mdx|txt|html?)$/i;

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
  if (entry.name === "node_modules") return;
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

/** The files that are imported, by path. */
export async function wanted(files: readonly Gathered[]): Promise<Gathered[]> {
  const { default: ignore } = await import("ignore");
  const rules = await Promise.all(
    files
      .filter(({ path }) => /(^|\/)\.gitignore$/.test(path))
      .map(async ({ path, file }) => ({
        folder: path.slice(0, -".gitignore".length),
        rules: ignore({ allowRelativePaths: true }).add(await file.text()),
      })),
  );
  rules.sort((a, b) => a.folder.length - b.folder.length);
  const isIgnored = (path: string) => {
    let ignored = false;
    for (const { folder, rules: inFolder } of rules) {
      if (!path.startsWith(folder)) continue;
      const result = inFolder.test(path.slice(folder.length));
      if (result.ignored) ignored = true;
      else if (result.unignored) ignored = false;
    }
    return ignored;
  };
  return files
    .filter(({ path }) => ACCEPTED.test(path) && !path.split("/").some(isLeftOut) && !isIgnored(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const isLeftOut = (name: string) => name.startsWith(".") || name === "node_modules";
