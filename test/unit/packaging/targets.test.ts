// The table of targets: its files are installed packages, and its names are those of the contract.

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownTarget, TARGETS, targetNamed } from "../../../scripts/targets.ts";
import { missingVisualCpp } from "../../../src/base/addon.ts";
import { nativeSources, WASM_RUNTIME } from "../../../src/base/assets.ts";

const MODULES = join(import.meta.dir, "../../../node_modules");

describe("targets", () => {
  test("are those of the contract", () => {
    expect(TARGETS.map(({ name }) => name).sort()).toEqual([
      "darwin-arm64",
      "darwin-x64",
      "linux-arm64",
      "linux-x64",
      "linux-x64-musl",
      "windows-x64",
    ]);
  });

  test.each(TARGETS.map((target) => [target.name, target] as const))(
    "%s has what runs its model",
    (_name, target) => {
      const files = target.natives.onnxruntime.length > 0 ? target.natives.onnxruntime : [WASM_RUNTIME];
      expect(files.filter((file) => !existsSync(join(MODULES, file)))).toEqual([]);
    },
  );

  test("an unknown one is rejected with the list", () => {
    expect(() => targetNamed("plan9")).toThrow("linux-x64-musl");
  });

  test("this machine's has this platform's libraries", () => {
    expect(ownTarget().natives).toEqual(nativeSources(process.platform, process.arch));
  });
});

describe("the Visual C++ runtime", () => {
  test("is not reported when it is installed", () => {
    expect(
      missingVisualCpp({ SystemRoot: "D:\\Windows" }, (path) => path.startsWith("D:\\Windows\\System32\\")),
    ).toBe(undefined);
  });

  test("is reported with the missing library and the download", () => {
    const message = missingVisualCpp({}, (path) => !path.endsWith("MSVCP140_1.dll"));
    expect(message).toContain("(MSVCP140_1.dll)");
    expect(message).toContain("https://aka.ms/vs/17/release/vc_redist.x64.exe");
  });
});
