// Where shipped files, caches and data are, by platform.

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import {
  assetPath,
  cacheDirectory,
  dataDirectory,
  modelRuntime,
  type NativeName,
  nativeFile,
  nativeSources,
} from "../../../src/base/assets.ts";

const HOME = { HOME: "/home/ada" };

describe("cache and data directories", () => {
  test.each([
    ["linux", HOME, "/home/ada/.cache/ctxrepo", "/home/ada/.local/share/ctxrepo"],
    ["linux", { ...HOME, XDG_CACHE_HOME: "/c", XDG_DATA_HOME: "/d" }, "/c/ctxrepo", "/d/ctxrepo"],
    [
      "linux",
      { ...HOME, XDG_CACHE_HOME: "c", XDG_DATA_HOME: "" },
      "/home/ada/.cache/ctxrepo",
      "/home/ada/.local/share/ctxrepo",
    ],
    ["linux", {}, `${homedir()}/.cache/ctxrepo`, `${homedir()}/.local/share/ctxrepo`],
    [
      "darwin",
      { ...HOME, XDG_DATA_HOME: "/d" },
      "/home/ada/Library/Caches/ctxrepo",
      "/home/ada/Library/Application Support/ctxrepo",
    ],
    [
      "win32",
      { LOCALAPPDATA: "C:\\U\\AppData\\Local" },
      "C:\\U\\AppData\\Local\\ctxrepo-cache",
      "C:\\U\\AppData\\Local\\ctxrepo",
    ],
    [
      "win32",
      { USERPROFILE: "C:\\U" },
      "C:\\U\\AppData\\Local\\ctxrepo-cache",
      "C:\\U\\AppData\\Local\\ctxrepo",
    ],
  ])("%s %j", (platform, env, cache, data) => {
    expect(cacheDirectory(env, platform)).toBe(cache);
    expect(dataDirectory(env, platform)).toBe(data);
  });

  test("CTXREPO_CACHE_DIR is the cache directory itself and moves nothing else", () => {
    const env = { ...HOME, XDG_CACHE_HOME: "/c", CTXREPO_CACHE_DIR: "/elsewhere" };
    expect(cacheDirectory(env, "linux")).toBe("/elsewhere");
    expect(dataDirectory(env, "linux")).toBe("/home/ada/.local/share/ctxrepo");
  });
});

describe("in the repository", () => {
  test("assets are read from the repository", () => {
    expect(readdirSync(assetPath("migrations")).length).toBeGreaterThan(0);
    expect(existsSync(assetPath("models/all-MiniLM-L6-v2/config.json"))).toBe(true);
  });

  test.each<NativeName>(["vec0", "onnxruntime"])("%s is loaded from node_modules", (name) => {
    expect(existsSync(nativeFile(name))).toBe(true);
  });

  test("every source of this platform is installed", () => {
    const sources = Object.values(nativeSources(process.platform, process.arch)).flat();
    expect(sources.filter((source) => !existsSync(assetPath(`node_modules/${source}`)))).toEqual([]);
  });

  test.each([
    ["linux", "x64", 1, 2],
    ["win32", "x64", 1, 2],
    ["darwin", "arm64", 0, 2],
    ["darwin", "x64", 0, 0],
    ["plan9", "x64", 0, 0],
  ])("%s-%s: what has no library is an empty list", (platform, arch, vec0, onnxruntime) => {
    const sources = nativeSources(platform, arch);
    expect([sources.vec0.length, sources.onnxruntime.length]).toEqual([vec0, onnxruntime]);
  });

  test("the model runs in the native library", () => {
    expect(modelRuntime()).toEqual({ kind: "native" });
  });
});
