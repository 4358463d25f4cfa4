// The files of a release: archives that other programs read, with equal bytes for equal files; headers; SBOM; MCP
// bundle.

import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ArchiveFile, ar, gzipped, tar, zip, zstandard } from "../../../scripts/packaging/archives.ts";
import { type Component, componentsOf, thirdPartyLicenses } from "../../../scripts/packaging/components.ts";
import { readHeader } from "../../../scripts/packaging/headers.ts";
import { bundleManifest } from "../../../scripts/packaging/mcpb.ts";
import { cycloneDx } from "../../../scripts/packaging/sbom.ts";
import { ownTarget, TARGETS } from "../../../scripts/targets.ts";
import { createProgram } from "../../../src/cli/program.ts";
import { sha256Hex } from "../../../src/kernel/hash.ts";
import { makeTempDir } from "../../helpers/start.ts";

const folder = makeTempDir();
afterAll(() => rmSync(folder, { recursive: true }));

const MODELS = join(import.meta.dir, "../../../models");

const FILES: ArchiveFile[] = [
  { path: "a/LICENSE", bytes: Buffer.from("licence") },
  { path: "a/program", bytes: Buffer.alloc(2_000, "x"), isExecutable: true },
  { path: "a/empty", bytes: new Uint8Array() },
];

function unpacked(command: string[]): void {
  const into = command.at(-1)!;
  mkdirSync(into);
  const { exitCode, stderr } = Bun.spawnSync(command);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  for (const { path, bytes, isExecutable } of FILES) {
    expect(Buffer.compare(readFileSync(join(into, path)), bytes)).toBe(0);
    expect(statSync(join(into, path)).mode & 0o777).toBe(isExecutable ? 0o755 : 0o644);
  }
}

describe("archives", () => {
  test.skipIf(!Bun.which("tar"))("tar reads a .tar.gz", () => {
    const file = join(folder, "a.tar.gz");
    writeFileSync(file, gzipped(tar(FILES)));
    unpacked(["tar", "-xpzf", file, "-C", join(folder, "tar")]);
  });

  test.skipIf(!Bun.which("tar") || !Bun.which("zstd"))("tar reads a .tar.zst", () => {
    const file = join(folder, "a.tar.zst");
    writeFileSync(file, zstandard(tar(FILES)));
    unpacked(["tar", "--zstd", "-xpf", file, "-C", join(folder, "zst")]);
  });

  test.skipIf(!Bun.which("ar"))("ar reads its archive, also after a file of an odd length", () => {
    const file = join(folder, "a.ar");
    const [licence, program] = [
      { path: "LICENSE", bytes: Buffer.from("licence") },
      { path: "program", bytes: Buffer.alloc(2_000, "x") },
    ];
    writeFileSync(file, ar([licence, program]));
    const { stdout } = Bun.spawnSync(["ar", "p", file]);
    expect(stdout.toString()).toBe(`licence${"x".repeat(2_000)}`);
  });

  test.skipIf(!Bun.which("unzip"))("unzip reads a .zip", () => {
    const file = join(folder, "a.zip");
    writeFileSync(file, zip(FILES));
    unpacked(["unzip", "-q", file, "-d", join(folder, "zip")]);
  });

  test("the same files give the same bytes", () => {
    expect(Buffer.compare(zip(FILES), zip(FILES))).toBe(0);
    for (const pack of [gzipped, zstandard])
      expect(Buffer.compare(pack(tar(FILES)), pack(tar(FILES)))).toBe(0);
  });
});

test("the header of this Bun is that of this machine's target", () => {
  expect(readHeader(readFileSync(process.execPath))).toEqual(ownTarget().header);
  expect(() => readHeader(Buffer.from("#!/bin/sh\nexit 0\n"))).toThrow("neither ELF");
});

const COMPONENTS: Component[] = [
  { name: "one", version: "1.0.0", license: "MIT", purl: "pkg:npm/one@1.0.0", text: "The text.\n" },
  { name: "two", version: "2.0.0", license: "MIT", purl: "pkg:npm/two@2.0.0", text: "The text." },
  { name: "bare", version: "3.0.0", license: "ISC", purl: "pkg:npm/bare@3.0.0", text: undefined },
];

test("equal licence texts are printed once, below all components that have them", () => {
  const text = thirdPartyLicenses(COMPONENTS);
  expect(text.match(/The text\./g)).toHaveLength(1);
  expect(text).toContain("one 1.0.0 (MIT)\ntwo 2.0.0 (MIT)\n");
  expect(text).toContain("bare 3.0.0 (ISC)");
});

test("the SBOM names every component, and has neither time nor random number", () => {
  const described = { version: "1.2.3", target: "linux-x64", sha256: "ab".repeat(32) };
  const document = cycloneDx(described, COMPONENTS);
  expect(document).toBe(cycloneDx(described, COMPONENTS));
  const { components, dependencies, metadata } = JSON.parse(document);
  expect(components.map(({ purl }: { purl: string }) => purl)).toEqual(COMPONENTS.map(({ purl }) => purl));
  expect(dependencies[0].ref).toBe(metadata.component["bom-ref"]);
});

test("the SBOM of a target lists sqlite-vec, with its version and licence, if the executable contains it", () => {
  const packageFile = join(import.meta.dir, "../../../node_modules/sqlite-vec/package.json");
  const { version } = JSON.parse(readFileSync(packageFile, "utf8"));
  for (const target of TARGETS) {
    const document = cycloneDx(
      { version: "1.2.3", target: target.name, sha256: "" },
      componentsOf(target, []),
    );
    const { components, dependencies } = JSON.parse(document);
    const purl = `pkg:npm/sqlite-vec@${version}`;
    const hasLibrary = target.natives.vec0.length > 0;
    expect(components.filter(({ name }: Component) => name === "sqlite-vec")).toMatchObject(
      hasLibrary ? [{ type: "library", version, purl, licenses: [{ expression: "MIT OR Apache-2.0" }] }] : [],
    );
    expect(dependencies[0].dependsOn.includes(purl)).toBe(hasLibrary);
  }
  expect(TARGETS.filter(({ natives }) => natives.vec0.length > 0).map(({ name }) => name)).toContain(
    "linux-x64",
  );
});

test.each(TARGETS.map((target) => [target.name, target] as const))(
  "the SBOM of %s lists every model of models/ with the digest of its weights and a licence",
  (_name, target) => {
    const components = componentsOf(target, []);
    const models = components.filter(({ isModel }) => isModel);
    expect(models.map(({ name }) => name).sort()).toEqual(readdirSync(MODELS).sort());
    for (const { name, version, text } of models) {
      const weights = readFileSync(join(MODELS, name, "onnx/model_quantized.onnx"));
      expect(version).toBe(sha256Hex(weights).slice(0, version.length));
      expect(version.length).toBeGreaterThanOrEqual(12);
      expect(text).toMatch(/Apache License|MIT License/);
    }
  },
);

test.each(TARGETS.filter(({ hasBundle }) => hasBundle).map((target) => [target.name, target] as const))(
  "the bundle of %s runs a command of the program",
  (_name, target) => {
    const { server } = JSON.parse(bundleManifest(target, "1.2.3"));
    const { command, args } = server.mcp_config;
    expect(command).toEndWith(`/${server.entry_point}`);
    expect(createProgram().commands.map((one) => one.name())).toContain(args[0]);
  },
);
