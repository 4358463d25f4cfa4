// Writes .tar.gz and .zip archives. The same files give the same bytes: fixed times, owners and order, no extra fields.

import { basename } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";

/** A file of an archive. */
export interface ArchiveFile {
  /** Path in the archive, with slashes. ASCII, at most 100 characters. */
  path: string;
  bytes: Uint8Array;
  isExecutable?: boolean;
}

const LEVEL = 9;
const BLOCK = 512;
const modeOf = ({ isExecutable }: ArchiveFile) => (isExecutable ? 0o755 : 0o644);

/** A gzipped tar archive (ustar). */
export function tarGz(files: readonly ArchiveFile[]): Uint8Array {
  const parts = files.flatMap((file) => {
    const padding = new Uint8Array((BLOCK - (file.bytes.length % BLOCK)) % BLOCK);
    return [tarHeader(file), file.bytes, padding];
  });
  return gzipSync(Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]), { level: LEVEL });
}

function tarHeader(file: ArchiveFile): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number) => value.toString(8).padStart(width - 1, "0");
  header.write(checkedPath(file), 0);
  header.write(octal(modeOf(file), 8), 100);
  header.write(octal(0, 8), 108); // owner
  header.write(octal(0, 8), 116); // group
  header.write(octal(file.bytes.length, 12), 124);
  header.write(octal(0, 12), 136); // time
  header.write("        ", 148); // the sum counts its own field as spaces
  header.write("0", 156); // a file
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)}\0 `, 148);
  return header;
}

/** 1980-01-01 00:00, the earliest that the format knows. */
const ZIP_DATE = (1 << 5) | 1;
const DEFLATE = 8;
/** Version 2.0 on Unix, so that the mode is used. */
const MADE_BY_UNIX = (3 << 8) | 20;

/** A zip archive with Unix modes. */
export function zip(files: readonly ArchiveFile[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const file of files) {
    const path = Buffer.from(checkedPath(file));
    const data = deflateRawSync(file.bytes, { level: LEVEL });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version that is needed
    common.writeUInt16LE(DEFLATE, 4);
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
