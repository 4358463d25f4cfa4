// Reads files of models, which executables store compressed with zstd if they are large.

import { join } from "node:path";

/** The bytes of a file, decompressed if its name ends in .zst. */
export async function readPossiblyCompressed(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(path).bytes();
  return path.endsWith(".zst") ? (Bun.zstdDecompressSync(bytes) as Uint8Array<ArrayBuffer>) : bytes;
}

/** The bytes of a file in a model's folder, or of the same file with .zst at its end; undefined if there is neither. */
export async function readModelFile(
  directory: string,
  name: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  for (const file of [name, `${name}.zst`].map((one) => join(directory, one)))
    if (await Bun.file(file).exists()) return readPossiblyCompressed(file);
  return undefined;
}

/** The content of a JSON file in a model's folder; undefined if there is none. Throws SyntaxError if malformed. */
export async function readModelJson(directory: string, name: string): Promise<unknown> {
  const bytes = await readModelFile(directory, name);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}
