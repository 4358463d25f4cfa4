// Writes .tar.gz, .tar.zst, .zip and ar archives. The same files give the same bytes: fixed times, owners and order, no
// extra fields.

import { basename } from "node:path";
import { crc32 } from "node:zlib";

/** A file of an archive. */
export interface ArchiveFile {
  /** Path in the archive, with slashes. ASCII, at most 100 characters. */
  path: string;
  bytes: Uint8Array;
  isExecutable?: boolean;
}

/** Level 19 takes many times as long, and half of an executable is compressed already. */
const ZSTD_LEVEL = 12;
/** Level 9 takes longer and saves 0.2 %. */
const DEFLATE = { library: "libdeflate", level: 6 } as const;
const BLOCK = 512;
const modeOf = ({ isExecutable }: ArchiveFile) => (isExecutable ? 0o755 : 0o644);

/** A tar archive (ustar) with the folders of its files, owned by root. */
export function tar(files: readonly ArchiveFile[]): Uint8Array {
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
  const parts = [
    ...[...folders].map((path) => tarHeader({ path, mode: 0o755, length: 0, type: "5" })),
    ...files.flatMap((file) => {
      const { length } = file.bytes;
      const header = tarHeader({ path: checkedPath(file), mode: modeOf(file), length, type: "0" });
      return [header, file.bytes, new Uint8Array((BLOCK - (length % BLOCK)) % BLOCK)];
    }),
  ];
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]);
}

/** The folders above a path, outermost first, each with a slash at its end. */
function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_name, index) => `${names.slice(0, index + 1).join("/")}/`).filter((one) => one !== "./");
}

export const gzipped = (bytes: Uint8Array): Uint8Array =>
  Bun.gzipSync(bytes as Uint8Array<ArrayBuffer>, DEFLATE);

export const zstandard = (bytes: Uint8Array): Uint8Array =>
  Bun.zstdCompressSync(bytes as Uint8Array<ArrayBuffer>, { level: ZSTD_LEVEL });

/** An archive of `ar` in the form that dpkg reads: short names, sizes below 10 GB. */
export function ar(files: readonly ArchiveFile[]): Uint8Array {
  const parts = files.flatMap(({ path, bytes }) => {
    if (path.length > 15) throw new Error(`${path}: longer than 15 characters`);
    const header = [
      path.padEnd(16),
      "0".padEnd(12), // time
      "0".padEnd(6), // owner
      "0".padEnd(6), // group
      "100644".padEnd(8),
      String(bytes.length).padEnd(10),
      "`\n",
    ];
    return [Buffer.from(header.join("")), bytes, Buffer.from(bytes.length % 2 === 1 ? "\n" : "")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}

/** An entry of a tar archive. */
interface TarEntry {
  path: string;
  mode: number;
  length: number;
  /** `0` a file, `5` a folder. */
  type: "0" | "5";
}

function tarHeader({ path, mode, length, type }: TarEntry): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number) => value.toString(8).padStart(width - 1, "0");
  header.write(path, 0);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108); // owner
  header.write(octal(0, 8), 116); // group
  header.write(octal(length, 12), 124);
  header.write(octal(0, 12), 136); // time
  header.write("        ", 148); // the sum counts its own field as spaces
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  header.write("root", 265); // name of the owner
  header.write("root", 297); // name of the group
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)}\0 `, 148);
  return header;
}

/** 1980-01-01 00:00, the earliest that the format knows. */
const ZIP_DATE = (1 << 5) | 1;
const METHOD_DEFLATE = 8;
/** Version 2.0 on Unix, so that the mode is used. */
const MADE_BY_UNIX = (3 << 8) | 20;

/** A zip archive with Unix modes. */
export function zip(files: readonly ArchiveFile[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const file of files) {
    const path = Buffer.from(checkedPath(file));
    const data = Bun.deflateSync(file.bytes as Uint8Array<ArrayBuffer>, DEFLATE);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version that is needed
    common.writeUInt16LE(METHOD_DEFLATE, 4);
    common.writeUInt16LE(ZIP_DATE, 8);
    common.writeUInt32LE(crc32(file.bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(file.bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), common, path, data);
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(((0o100000 | modeOf(file)) << 16) >>> 0, 6);
    entry.writeUInt32LE(offset, 10);
    const madeBy = Buffer.alloc(2);
    madeBy.writeUInt16LE(MADE_BY_UNIX);
    directory.push(Buffer.from("PK\x01\x02"), madeBy, common, entry.subarray(0, 14), path);
    offset += 4 + common.length + path.length + data.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from("PK\x05\x06"), end]);
}

function checkedPath({ path }: ArchiveFile): string {
  if (!/^[\x20-\x7e]{1,100}$/.test(path)) throw new Error(`${basename(path)}: no path for an archive`);
  return path;
}
