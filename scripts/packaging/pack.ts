// Packs executables that are already built: for each platform archives, SBOM, MCP bundle, .deb and npm package, then what
// installs them (npm launcher, Homebrew formula, Scoop manifest, install.sh) and SHA256SUMS. The same executables give
// the same bytes.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../src/kernel/hash.ts";
import { TARGETS, type Target } from "../targets.ts";
import { type ArchiveFile, gzipped, tar, zip, zstandard } from "./archives.ts";
import { type Component, thirdPartyLicenses } from "./components.ts";
import { debianPackage } from "./debian.ts";
import { checkAddress, type Download, type Downloads } from "./downloads.ts";
import { homebrewFormula } from "./homebrew.ts";
import { installScript } from "./install-script.ts";
import { bundleManifest } from "./mcpb.ts";
import { launcherNpmPackage, launcherPackageFile, platformNpmPackage, platformPackageFile } from "./npm.ts";
import { cycloneDx } from "./sbom.ts";
import { scoopManifest } from "./scoop.ts";
import { sharedFiles } from "./shared-files.ts";

const LICENSE = join(import.meta.dir, "../../LICENSE");
/** In the folder of a target, beside the executable. */
const COMPONENTS_FILE = "components.json";

/** Where the executable of a target is stored between building and packing. */
export const executablePath = (executables: string, { name, program }: Target) =>
  join(executables, name, program);

/** Stores what the executable of a target contains beside it. */
export function writeComponents(executables: string, { name }: Target, components: Component[]): void {
  writeFileSync(join(executables, name, COMPONENTS_FILE), JSON.stringify(components));
}

export interface Packing {
  /** The folder with a folder for each target: its executable and `components.json`. */
  executables: string;
  /** The folder of the release, which is emptied first. */
  into: string;
  version: string;
  /** See DOWNLOADS. */
  address: string;
}

/** A file of the release. */
export interface Packed {
  file: string;
  length: number;
  sha256: string;
}

/** Packs all targets of which there is an executable. Returns the files in the order of their names. */
export function packRelease({ executables, into, version, address }: Packing): Packed[] {
  checkAddress(address);
  const targets = TARGETS.filter((target) => existsSync(executablePath(executables, target)));
  if (targets.length === 0) throw new Error(`${executables} contains no executable`);
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const packed: Packed[] = [];
  const write: Write = (file, content) => {
    const bytes = Buffer.from(content as Uint8Array);
    writeFileSync(join(into, file), bytes);
    const sha256 = sha256Hex(bytes);
    packed.push({ file, length: bytes.length, sha256 });
    return sha256;
  };
  const shared = sharedFiles();
  const archives = targets.map((target) => packTarget({ target, version, shared, executables }, write));
  packInstallers({ version, address, archives }, shared, write);
  packed.sort((a, b) => (a.file < b.file ? -1 : 1));
  // Last: whoever sees it sees a complete release.
  const sums = packed.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join("");
  writeFileSync(join(into, "SHA256SUMS"), sums);
  return packed;
}

/** Writes a file of the release and returns its hex SHA-256. */
type Write = (file: string, content: Uint8Array | string) => string;

interface TargetPacking {
  target: Target;
  version: string;
  shared: readonly ArchiveFile[];
  executables: string;
}

function packTarget({ target, version, shared, executables }: TargetPacking, write: Write): Download {
  const name = `ctxrepo-${version}-${target.name}`;
  const bytes = readFileSync(executablePath(executables, target));
  const components: Component[] = JSON.parse(
    readFileSync(join(executables, target.name, COMPONENTS_FILE), "utf8"),
  );
  const program: ArchiveFile = { path: target.program, bytes, isExecutable: true };
  const licence = readFileSync(LICENSE);
  const thirdPartyLicences = Buffer.from(thirdPartyLicenses(components));
  const texts = [
    { path: "LICENSE", bytes: licence },
    { path: "THIRD_PARTY_LICENSES", bytes: thirdPartyLicences },
  ];

  write(
    `${name}.cdx.json`,
    cycloneDx({ version, target: target.name, sha256: sha256Hex(bytes) }, components),
  );
  write(platformPackageFile(target, version), platformNpmPackage(target, version, [program, ...texts]));
  if (target.hasBundle) {
    const manifest = { path: "manifest.json", bytes: Buffer.from(bundleManifest(target, version)) };
    write(`${name}.mcpb`, zip([manifest, { ...program, path: `server/${program.path}` }, ...texts]));
  }
  if (target.debian) {
    const contents = { version, architecture: target.debian, program, shared, licence, thirdPartyLicences };
    write(`ctxrepo_${version}_${target.debian}.deb`, debianPackage(contents));
  }

  const inFolder = [program, ...texts, ...shared].map((file) => ({ ...file, path: `${name}/${file.path}` }));
  if (target.header.format === "pe") {
    const file = `${name}.zip`;
    return { target, file, sha256: write(file, zip(inFolder)), folder: name };
  }
  const archive = tar(inFolder);
  const file = `${name}.tar.gz`;
  write(`${name}.tar.zst`, zstandard(archive));
  return { target, file, sha256: write(file, gzipped(archive)), folder: name };
}

function packInstallers(downloads: Downloads, shared: readonly ArchiveFile[], write: Write): void {
  const { version, archives } = downloads;
  const targets = archives.map(({ target }) => target);
  const files = [{ path: "LICENSE", bytes: readFileSync(LICENSE) }, ...shared];
  write(launcherPackageFile(version), launcherNpmPackage(targets, version, files));
  write("install.sh", installScript(downloads));
  write("ctxrepo.rb", homebrewFormula(downloads));
  const windows = archives.find(({ target }) => target.npm.os === "win32");
  if (windows) write("ctxrepo.json", scoopManifest(downloads, windows));
}
