// Loads the native addon of ONNX Runtime inside an executable. The build puts a call of `loadAddon` into
// onnxruntime-node.

import { existsSync } from "node:fs";
import { win32 } from "node:path";
import { type Environment, nativeFile } from "./assets.ts";
import { Failure, messageOf } from "../kernel/errors.ts";

/** The libraries of the Visual C++ runtime that onnxruntime.dll needs. Windows does not contain them. */
const VISUAL_CPP = [
  "MSVCP140.dll",
  "MSVCP140_1.dll",
  "MSVCP140_ATOMIC_WAIT.dll",
  "VCRUNTIME140.dll",
  "VCRUNTIME140_1.dll",
];
const VISUAL_CPP_URL = "https://aka.ms/vs/17/release/vc_redist.x64.exe";

/** The addon's exports. Throws `unavailable` with what is missing if it cannot be loaded. */
export function loadAddon(): unknown {
  const path = nativeFile("onnxruntime");
  const addon = { exports: {} };
  try {
    process.dlopen(addon, path);
  } catch (error) {
    const missing = process.platform === "win32" ? missingVisualCpp(process.env) : undefined;
    throw new Failure("unavailable", missing ?? `${path} cannot be loaded: ${messageOf(error)}`, {
      cause: error,
      ...(missing && { publicMessage: `semantic search is degraded: ${missing}` }),
    });
  }
  return addon.exports;
}

/**
 * Names the missing libraries of the Visual C++ runtime and its download; undefined if all are installed.
 *
 * @testOnly
 */
export function missingVisualCpp(
  env: Environment,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  const system = win32.join(env.SystemRoot ?? "C:\\Windows", "System32");
  const missing = VISUAL_CPP.filter((name) => !exists(win32.join(system, name)));
  if (missing.length === 0) return undefined;
  return `the Microsoft Visual C++ Redistributable is missing (${missing.join(", ")}): install ${VISUAL_CPP_URL} and start again`;
}
