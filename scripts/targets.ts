// The platforms that executables are built for: the Bun runtime, and what each can load at run time. A native library
// that a target lacks is replaced: sqlite-vec by JavaScript, the native ONNX Runtime by its WebAssembly build.

import { type NativeName, nativeSources } from "../src/base/assets.ts";

export interface Target {
  name: string;
  /** Bun's name of the platform, for `compile.target`. */
  bun: Bun.Build.CompileTarget;
  /** The runtime among the packages of scripts/release. */
  runtime: string;
  /** Native libraries, relative to node_modules; the first file of each is the one to load. Empty: there is none. */
  natives: Record<NativeName, string[]>;
  /** The format of the executable, its machine, and that of its native libraries. */
  header: Header;
  /** File name of the program. */
  program: "ctxrepo" | "ctxrepo.exe";
  /** The platform in the terms of npm, whose client compares them with the machine. */
  npm: { os: "linux" | "darwin" | "win32"; cpu: "x64" | "arm64"; libc?: "glibc" | "musl" };
  /** Debian's name of the architecture, if a .deb is made. */
  debian?: "amd64" | "arm64";
  /** Whether an MCP bundle is made. Where it is not, no desktop application reads bundles. */
  hasBundle: boolean;
}

/** What the first bytes of an executable or a library say. */
export interface Header {
  format: "elf" | "mach-o" | "pe";
  machine: "x64" | "arm64";
}

const NONE: Target["natives"] = { vec0: [], onnxruntime: [] };

export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    bun: "bun-linux-x64",
    runtime: "@oven/bun-linux-x64/bin/bun",
    natives: nativeSources("linux", "x64"),
    header: { format: "elf", machine: "x64" },
    program: "ctxrepo",
    npm: { os: "linux", cpu: "x64", libc: "glibc" },
    debian: "amd64",
    hasBundle: true,
  },
  {
    name: "linux-arm64",
    bun: "bun-linux-arm64",
    runtime: "@oven/bun-linux-aarch64/bin/bun",
    natives: nativeSources("linux", "arm64"),
    header: { format: "elf", machine: "arm64" },
    program: "ctxrepo",
    npm: { os: "linux", cpu: "arm64", libc: "glibc" },
    debian: "arm64",
    hasBundle: false,
  },
  {
    name: "linux-x64-musl",
    bun: "bun-linux-x64-musl",
    runtime: "@oven/bun-linux-x64-musl/bin/bun",
    // The published libraries are linked against glibc.
    natives: NONE,
    header: { format: "elf", machine: "x64" },
    program: "ctxrepo",
    npm: { os: "linux", cpu: "x64", libc: "musl" },
    hasBundle: false,
  },
  {
    name: "darwin-arm64",
    bun: "bun-darwin-arm64",
    runtime: "@oven/bun-darwin-aarch64/bin/bun",
    natives: nativeSources("darwin", "arm64"),
    header: { format: "mach-o", machine: "arm64" },
    program: "ctxrepo",
    npm: { os: "darwin", cpu: "arm64" },
    hasBundle: true,
  },
  {
    name: "darwin-x64",
    bun: "bun-darwin-x64",
    runtime: "@oven/bun-darwin-x64/bin/bun",
    natives: nativeSources("darwin", "x64"),
    header: { format: "mach-o", machine: "x64" },
    program: "ctxrepo",
    npm: { os: "darwin", cpu: "x64" },
    hasBundle: true,
  },
  {
    name: "windows-x64",
    bun: "bun-windows-x64",
    runtime: "@oven/bun-windows-x64/bin/bun.exe",
    natives: nativeSources("win32", "x64"),
    header: { format: "pe", machine: "x64" },
    program: "ctxrepo.exe",
    npm: { os: "win32", cpu: "x64" },
    hasBundle: true,
  },
];

/** The target with this name. Throws an Error that lists them if there is none. */
export function targetNamed(name: string): Target {
  const target = TARGETS.find((one) => one.name === name);
  if (!target) throw new Error(`--target ${name}: choose ${TARGETS.map((one) => one.name).join(", ")}`);
  return target;
}

/** The target of this machine. Throws an Error if there is none. */
export function ownTarget(): Target {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return targetNamed(`${system}-${process.arch}${usesMusl() ? "-musl" : ""}`);
}

function usesMusl(): boolean {
  if (process.platform !== "linux") return false;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}
