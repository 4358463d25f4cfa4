// Reads from the first bytes of an executable or library for which system and processor it was built.

import type { Header } from "../targets.ts";

const ELF_MACHINES: Record<number, Header["machine"]> = { 62: "x64", 183: "arm64" };
const MACH_O_MACHINES: Record<number, Header["machine"]> = { 16777223: "x64", 16777228: "arm64" };
const PE_MACHINES: Record<number, Header["machine"]> = { 34404: "x64", 43620: "arm64" };
const MACH_O_64 = 0xfeedfacf;

/** The header of a 64-bit little-endian ELF, Mach-O or PE file. Throws an Error for anything else. */
export function readHeader(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (start: number, length: number) =>
    Buffer.from(bytes.subarray(start, start + length)).toString("latin1");
  if (text(0, 6) === "\x7fELF\x02\x01") return known("elf", ELF_MACHINES[view.getUint16(18, true)]);
  if (view.getUint32(0, true) === MACH_O_64) return known("mach-o", MACH_O_MACHINES[view.getUint32(4, true)]);
  if (text(0, 2) === "MZ") {
    const start = view.getUint32(0x3c, true);
    if (text(start, 4) === "PE\0\0") return known("pe", PE_MACHINES[view.getUint16(start + 4, true)]);
  }
  throw new Error("neither ELF nor Mach-O nor PE");
}

function known(format: Header["format"], machine: Header["machine"] | undefined): Header {
  if (!machine) throw new Error(`${format} for an unknown processor`);
  return { format, machine };
}
