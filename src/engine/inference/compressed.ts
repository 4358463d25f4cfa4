// Reads files that executables store compressed with zstd.

/** The bytes of a file, decompressed if its name ends in .zst. */
export async function readPossiblyCompressed(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(path).bytes();
  return path.endsWith(".zst") ? (Bun.zstdDecompressSync(bytes) as Uint8Array<ArrayBuffer>) : bytes;
}
