// A package for Debian and what descends from it (deb(5)), written without dpkg: an ar archive of two tar archives.

import { packagedUnit } from "../../src/cli/service.ts";
import { type ArchiveFile, ar, gzipped, tar } from "./archives.ts";
import { SHARED_PATHS } from "./shared-files.ts";

export interface DebianPackage {
  version: string;
  architecture: "amd64" | "arm64";
  program: ArchiveFile;
  /** With paths below the prefix. */
  shared: readonly ArchiveFile[];
  licence: Uint8Array;
  thirdPartyLicences: Uint8Array;
}

/** Where Debian's zsh finds the completions of packages. */
const ZSH_PATH = "share/zsh/vendor-completions/_ctxrepo";
/** The executable needs glibc 2.27; the native libraries that it extracts need libstdc++. */
const DEPENDS = "libc6 (>= 2.27), libstdc++6";

/** The bytes of the package. */
export function debianPackage(contents: DebianPackage): Uint8Array {
  const files = installedFiles(contents);
  const control = tar([
    { path: "./control", bytes: Buffer.from(controlFile(contents, files)) },
    { path: "./md5sums", bytes: Buffer.from(md5Sums(files)) },
  ]);
  const data = tar(files.map((file) => ({ ...file, path: `./${file.path}` })));
  return ar([
    { path: "debian-binary", bytes: Buffer.from("2.0\n") },
    { path: "control.tar.gz", bytes: gzipped(control) },
    // dpkg reads zstd only since Debian 12.
    { path: "data.tar.gz", bytes: gzipped(data) },
  ]);
}

function installedFiles({ program, shared, licence, thirdPartyLicences }: DebianPackage): ArchiveFile[] {
  const documents = "usr/share/doc/ctxrepo";
  const inPrefix = shared.map(({ path, bytes }) => {
    if (path === SHARED_PATHS.manual) return { path: `usr/${path}.gz`, bytes: gzipped(bytes) };
    return { path: `usr/${path === SHARED_PATHS.zsh ? ZSH_PATH : path}`, bytes };
  });
  return [
    { ...program, path: "usr/bin/ctxrepo" },
    { path: "usr/lib/systemd/user/ctxrepo.service", bytes: Buffer.from(`${packagedUnit()}\n`) },
    { path: `${documents}/copyright`, bytes: licence },
    { path: `${documents}/THIRD_PARTY_LICENSES.gz`, bytes: gzipped(thirdPartyLicences) },
    ...inPrefix,
  ];
}

function controlFile({ version, architecture }: DebianPackage, files: readonly ArchiveFile[]): string {
  const kibibytes = files.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 1024), 0);
  return `Package: ctxrepo
Version: ${version}
Architecture: ${architecture}
Maintainer: The ctxrepo authors <ctxrepo@localhost>
Installed-Size: ${kibibytes}
Depends: ${DEPENDS}
Section: text
Priority: optional
Description: Context Repository in one file
 A local server that keeps prompts, documents and collections for AI agents
 and for the people who work with them. It searches by meaning, stores every
 version and answers questions with citations.
`;
}

function md5Sums(files: readonly ArchiveFile[]): string {
  return files
    .map(({ path, bytes }) => `${new Bun.CryptoHasher("md5").update(bytes).digest("hex")}  ${path}\n`)
    .join("");
}
