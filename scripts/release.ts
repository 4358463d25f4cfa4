// Builds, checks and packs the executables of all targets into dist/release, with licences, SBOMs, MCP bundles and
// SHA256SUMS. The same sources give the same bytes. Usage: bun scripts/release.ts [--target TARGET]…

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sha256Hex } from "../src/kernel/hash.ts";
import { VERSION } from "../src/base/version.ts";
import { type ArchiveFile, tarGz, zip } from "./packaging/archives.ts";
import { type Component, thirdPartyLicenses } from "./packaging/components.ts";
import { buildExecutable } from "./packaging/executable.ts";
import { readHeader } from "./packaging/headers.ts";
import { bundleManifest, hasBundle } from "./packaging/mcpb.ts";
import { runTarget } from "./packaging/run-target.ts";
import { installRuntimes } from "./packaging/runtimes.ts";
import { cycloneDx } from "./packaging/sbom.ts";
import { packageFile } from "./packaging/stage.ts";
import { TARGETS, type Target, targetNamed } from "./targets.ts";

const ROOT = join(import.meta.dir, "..");
const RELEASE = join(ROOT, "dist", "release");
const LEVEL = 19;

function check(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(what);
}

/** Throws an Error if the executable or one of its libraries was built for another platform. */
function checkHeaders(target: Target, executable: Uint8Array): void {
  const expected = JSON.stringify(target.header);
  const libraries = Object.values(target.natives).flat();
  const files = [
    { name: target.program, bytes: executable },
    ...libraries.map((name) => ({ name, bytes: readFileSync(packageFile(name)) })),
  ];
  for (const { name, bytes } of files) {
    const found = JSON.stringify(readHeader(bytes));
    check(found === expected, `${target.name}: ${name} is ${found}, not ${expected}`);
  }
}

function checkLicenses(components: readonly Component[]): void {
  const without = components.filter(({ text }) => text === undefined).map(({ name }) => name);
  check(
    without.length === 0,
    `no licence text: ${without.join(", ")}; add them to scripts/packaging/notices`,
  );
}

const megabytes = ({ length }: Uint8Array) => `${(length / 1e6).toFixed(1)} MB`;

/** Writes the files of one target. Returns its row of the table. */
async function release(target: Target): Promise<Record<string, string>> {
  const name = `ctxrepo-${VERSION}-${target.name}`;
  const outfile = join(RELEASE, target.program);
  const components = await buildExecutable({
    target,
    runtime: installRuntimes(target),
    outfile,
    level: LEVEL,
  });
  const executable = readFileSync(outfile);
  checkHeaders(target, executable);
  checkLicenses(components);
  const tested = runTarget(target, outfile);
  rmSync(outfile);

  const program: ArchiveFile = { path: target.program, bytes: executable, isExecutable: true };
  const texts: ArchiveFile[] = [
    { path: "LICENSE", bytes: readFileSync(join(ROOT, "LICENSE")) },
    { path: "THIRD_PARTY_LICENSES", bytes: Buffer.from(thirdPartyLicenses(components)) },
  ];
  const isWindows = target.header.format === "pe";
  const inFolder = [program, ...texts].map((file) => ({ ...file, path: `${name}/${file.path}` }));
  const archive = isWindows ? zip(inFolder) : tarGz(inFolder);
  const write = (suffix: string, content: Uint8Array | string) =>
    writeFileSync(join(RELEASE, `${name}${suffix}`), content);
  write(isWindows ? ".zip" : ".tar.gz", archive);
  write(
    ".cdx.json",
    cycloneDx({ version: VERSION, target: target.name, sha256: sha256Hex(executable) }, components),
  );
  if (hasBundle(target)) {
    const manifest: ArchiveFile = {
      path: "manifest.json",
      bytes: Buffer.from(bundleManifest(target, VERSION)),
    };
    write(".mcpb", zip([manifest, { ...program, path: `server/${program.path}` }, ...texts]));
  }
  return {
    target: target.name,
    executable: megabytes(executable),
    archive: megabytes(archive),
    "ONNX Runtime": target.natives.onnxruntime.length > 0 ? "native" : "WebAssembly",
    "vector search": target.natives.vec0.length > 0 ? "sqlite-vec" : "JavaScript",
    tested,
  };
}

const { values } = parseArgs({ options: { target: { type: "string", multiple: true } } });
const targets = values.target?.map(targetNamed) ?? TARGETS;
rmSync(RELEASE, { recursive: true, force: true });
mkdirSync(RELEASE, { recursive: true });
const rows: Record<string, string>[] = [];
for (const target of targets) {
  console.log(`== ${target.name}`);
  rows.push(await release(target));
}
// Last: whoever sees it sees a complete release.
const sums = readdirSync(RELEASE)
  .sort()
  .map((file) => `${sha256Hex(readFileSync(join(RELEASE, file)))}  ${file}\n`);
writeFileSync(join(RELEASE, "SHA256SUMS"), sums.join(""));
console.log(Bun.inspect.table(rows));
