// Paths of shipped files and of the user's folders, in the repository and in the executable.

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, posix, resolve, win32 } from "node:path";
import { Failure } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { extractFiles } from "./native.ts";

/** Environment variables by name. */
export type Environment = Record<string, string | undefined>;
/** The native libraries that are loaded from a file. */
export type NativeName = "vec0" | "onnxruntime";

/**
 * The contents of `native/digests.json` in the executable. The first file of each library is the one to load; the list
 * is empty if the library does not exist for the platform. The files are stored as NAME.zst; digests are those of their
 * contents.
 */
export type NativeDigests = Record<NativeName, { name: string; sha256: string }[]>;

/** What runs the model: the native library, or its WebAssembly build, whose module is the file `path`. */
export type ModelRuntime = { kind: "native" } | { kind: "wasm"; path: string };

/**
 * In an executable, this module is bundled into main.ts at the root, and into the entry point of workers in workers/.
 */
const BUNDLE_ROOT = resolve(import.meta.dir, basename(import.meta.dir) === "workers" ? ".." : ".");
const ROOT = Bun.isStandaloneExecutable ? BUNDLE_ROOT : resolve(import.meta.dir, "..", "..");

/**
 * Absolute path of a shipped file or folder, such as `models` or `migrations/0001.sql`. node:fs and Bun.file can read
 * it.
 */
export function assetPath(relative: string): string {
  return resolve(ROOT, relative);
}

const VEC0: Environment = { linux: "vec0.so", win32: "vec0.dll" };
const ONNXRUNTIME: Record<string, string[] | undefined> = {
  "linux-x64": ["libonnxruntime.so.1"],
  "linux-arm64": ["libonnxruntime.so.1"],
  "darwin-arm64": ["libonnxruntime.1.dylib"],
  // Without DirectML.dll, which is loaded only for inference on a graphics card.
  "win32-x64": ["onnxruntime.dll"],
};

/**
 * The native files of one platform, relative to node_modules; the first of each library is the one to load. A list is
 * empty if there is no such library, or if it cannot be used: SQLite of macOS does not load extensions.
 */
export function nativeSources(platform: string, arch: string): Record<NativeName, string[]> {
  const vec0 = VEC0[platform];
  const system = platform === "win32" ? "windows" : platform;
  const libraries = ONNXRUNTIME[`${platform}-${arch}`];
  const onnxruntime = `onnxruntime-node/bin/napi-v6/${platform}/${arch}`;
  return {
    vec0: vec0 ? [`sqlite-vec-${system}-${arch}/${vec0}`] : [],
    onnxruntime: libraries
      ? ["onnxruntime_binding.node", ...libraries].map((name) => `${onnxruntime}/${name}`)
      : [],
  };
}

/** The WebAssembly build of ONNX Runtime, relative to node_modules. */
export const WASM_RUNTIME = "onnxruntime-web/dist/ort-wasm-simd-threaded.wasm";

/** Whether the program has this library for its platform. */
export function hasNative(name: NativeName): boolean {
  const files = Bun.isStandaloneExecutable
    ? readDigests().digests
    : nativeSources(process.platform, process.arch);
  return files[name].length > 0;
}

/** What can run the model on this platform. */
export function modelRuntime(): ModelRuntime {
  if (hasNative("onnxruntime")) return { kind: "native" };
  const path = Bun.isStandaloneExecutable
    ? `native/${basename(WASM_RUNTIME)}.zst`
    : `node_modules/${WASM_RUNTIME}`;
  return { kind: "wasm", path: assetPath(path) };
}

const nativePaths = new Map<NativeName, string>();

/**
 * Path of a library that the operating system can load; the files that it needs are in the same folder. The executable
 * extracts them to `<cache directory>/native-<digest>/`, once per process. Throws `unavailable` if that is impossible,
 * or if the library does not exist for this platform.
 */
export function nativeFile(name: NativeName, env: Environment = process.env): string {
  const known = nativePaths.get(name);
  if (known) return known;
  const path = Bun.isStandaloneExecutable ? extractNative(name, env) : installedNative(name);
  nativePaths.set(name, path);
  return path;
}

function installedNative(name: NativeName): string {
  const [file] = nativeSources(process.platform, process.arch)[name];
  return file ? assetPath(`node_modules/${file}`) : missing(name);
}

function extractNative(name: NativeName, env: Environment): string {
  const { text, digests } = readDigests();
  const [file] = digests[name];
  if (!file) return missing(name);
  const folder = resolve(cacheDirectory(env), `native-${sha256Hex(text).slice(0, 16)}`);
  extractFiles(
    folder,
    digests[name].map((one) => ({
      ...one,
      bytes: () => Bun.zstdDecompressSync(readFileSync(assetPath(`native/${one.name}.zst`))),
    })),
  );
  return resolve(folder, file.name);
}

function readDigests(): { text: string; digests: NativeDigests } {
  const text = readFileSync(assetPath("native/digests.json"), "utf8");
  return { text, digests: JSON.parse(text) };
}

function missing(name: NativeName): never {
  throw new Failure(
    "unavailable",
    `there is no ${name} for ${process.platform}-${process.arch} in this program`,
  );
}

/** The folder of files that can be recreated: CTXREPO_CACHE_DIR, or `ctxrepo` in the platform's cache directory. */
export function cacheDirectory(env: Environment, platform: string = process.platform): string {
  if (env.CTXREPO_CACHE_DIR) return resolve(env.CTXREPO_CACHE_DIR);
  // Windows has one folder for data and caches; `ctxrepo` in it is the data directory, which contains only the
  // database.
  if (platform === "win32") return win32.join(localAppData(env), "ctxrepo-cache");
  if (platform === "darwin") return posix.join(home(env), "Library/Caches/ctxrepo");
  return posix.join(absolute(env.XDG_CACHE_HOME) ?? posix.join(home(env), ".cache"), "ctxrepo");
}

/**
 * The user's folder of files that live as long as the session (XDG base directories): `ctxrepo` in XDG_RUNTIME_DIR, or
 * in systemd's default of it, so that a service and a cron job find the same folder. Undefined where there is none.
 */
export function runtimeDirectory(env: Environment): string | undefined {
  const named = absolute(env.XDG_RUNTIME_DIR);
  const usual = process.platform === "linux" ? `/run/user/${process.getuid?.()}` : undefined;
  const parent = [named, usual].find((path) => path !== undefined && existsSync(path));
  return parent === undefined ? undefined : posix.join(parent, "ctxrepo");
}

/** The default folder of the database: `ctxrepo` in the platform's user data directory. */
export function dataDirectory(env: Environment, platform: string = process.platform): string {
  if (platform === "win32") return win32.join(localAppData(env), "ctxrepo");
  if (platform === "darwin") return posix.join(home(env), "Library/Application Support/ctxrepo");
  return posix.join(absolute(env.XDG_DATA_HOME) ?? posix.join(home(env), ".local/share"), "ctxrepo");
}

/** The folder of what the user has configured: CTXREPO_CONFIG_DIR, or `ctxrepo` in the platform's folder for that. */
export function configDirectory(env: Environment, platform: string = process.platform): string {
  if (env.CTXREPO_CONFIG_DIR) return resolve(env.CTXREPO_CONFIG_DIR);
  if (platform === "win32") return win32.join(localAppData(env), "ctxrepo-config");
  if (platform === "darwin") return posix.join(home(env), "Library/Preferences/ctxrepo");
  return posix.join(absolute(env.XDG_CONFIG_HOME) ?? posix.join(home(env), ".config"), "ctxrepo");
}

function home(env: Environment): string {
  return env.HOME || homedir();
}

function localAppData(env: Environment): string {
  return env.LOCALAPPDATA || win32.join(env.USERPROFILE || homedir(), "AppData", "Local");
}

/** The path if it is absolute: by the XDG base directory specification, relative ones are ignored. */
function absolute(path: string | undefined): string | undefined {
  return path && posix.isAbsolute(path) ? path : undefined;
}
