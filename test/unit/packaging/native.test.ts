// Extraction of native libraries: the content of the folder afterwards, and the message when it fails.

import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../../src/kernel/errors.ts";
import { sha256Hex } from "../../../src/kernel/hash.ts";
import { type BundledFile, extractFiles } from "../../../src/base/native.ts";

const scratch = mkdtempSync(join(tmpdir(), "ctxrepo-native-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const NATIVE = join(import.meta.dir, "../../../src/base/native.ts");
let folders = 0;
const newFolder = () => join(scratch, `cache ${++folders}`, "native-0");

/** A file that is slightly longer than a block, and a count of its reads. */
function bundled(name: string, sha256?: string): BundledFile & { reads: number } {
  const content = new TextEncoder().encode(name.repeat(300_000));
  return {
    name,
    sha256: sha256 ?? sha256Hex(content),
    reads: 0,
    bytes() {
      this.reads++;
      return content;
    },
  };
}

function failureOf(action: () => void): Failure {
  try {
    action();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("extractFiles", () => {
  test("makes a private folder with exactly the files, once", () => {
    const folder = newFolder();
    const files = [bundled("one.so"), bundled("two.so")];
    extractFiles(folder, files);
    extractFiles(folder, files);
    expect(readdirSync(folder).sort()).toEqual(["one.so", "two.so"]);
    expect(files.map(({ reads }) => reads)).toEqual([1, 1]);
    for (const path of [folder, join(folder, "one.so")]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test.each([
    ["cut short", (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 1000))],
    ["altered in one byte", (path: string) => writeFileSync(path, readFileSync(path).fill(0, 0, 1))],
    ["emptied", (path: string) => writeFileSync(path, "")],
    ["removed", (path: string) => rmSync(path)],
  ])("replaces a file that was %s", (_name, spoil) => {
    const folder = newFolder();
    const [spoilt, whole] = [bundled("one.so"), bundled("two.so")];
    extractFiles(folder, [spoilt, whole]);
    spoil(join(folder, "one.so"));
    extractFiles(folder, [spoilt, whole]);
    expect(sha256Hex(readFileSync(join(folder, "one.so")))).toBe(spoilt.sha256);
    expect([spoilt.reads, whole.reads]).toEqual([2, 1]);
  });

  test("removes the write permission of other users from the folder", () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    extractFiles(folder, [bundled("one.so")]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("never puts bytes in place that do not match the digest", () => {
    const folder = newFolder();
    const failure = failureOf(() => extractFiles(folder, [bundled("one.so", sha256Hex("other"))]));
    expect(failure.kind).toBe("unavailable");
    expect(failure.message).toContain("one.so");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("names the folder and the variable where nothing can be written", () => {
    const blocked = join(scratch, "a file");
    writeFileSync(blocked, "");
    const failure = failureOf(() => extractFiles(join(blocked, "native-0"), [bundled("one.so")]));
    expect(failure.kind).toBe("unavailable");
    expect(failure.message).toContain(join(blocked, "native-0"));
    expect(failure.message).toContain("CTXREPO_CACHE_DIR");
  });

  const mayMount = Bun.which("unshare") && Bun.spawnSync(["unshare", "-rm", "true"]).success;

  test.skipIf(!mayMount)("reports a folder that is mounted noexec", () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    const code = `
      const { extractFiles } = await import(${JSON.stringify(NATIVE)});
      const sha256 = new Bun.CryptoHasher("sha256").update("x").digest("hex");
      extractFiles(process.argv[1], [{ name: "one.so", sha256, bytes: () => new TextEncoder().encode("x") }]);`;
    const mounted = 'mount -t tmpfs -o noexec none "$1" && exec "$2" -e "$3" "$1"';
    const command = ["unshare", "-rm", "sh", "-c", mounted, "sh", folder, process.execPath, code];
    const { stderr, exitCode } = Bun.spawnSync(command);
    expect(exitCode).toBe(1);
    expect(stderr.toString()).toContain(`${folder}: it is mounted noexec`);
    expect(stderr.toString()).toContain("CTXREPO_CACHE_DIR");
  });

  test("processes that start at the same moment all find it whole", async () => {
    const folder = newFolder();
    const code = `
      const { extractFiles } = await import(${JSON.stringify(NATIVE)});
      const bytes = new TextEncoder().encode("library".repeat(300_000));
      const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      extractFiles(${JSON.stringify(folder)}, [{ name: "one.so", sha256, bytes: () => bytes }]);`;
    const starts = Array.from(
      { length: 4 },
      () => Bun.spawn([process.execPath, "-e", code], { stderr: "inherit" }).exited,
    );
    expect(await Promise.all(starts)).toEqual([0, 0, 0, 0]);
    expect(readdirSync(folder)).toEqual(["one.so"]);
    expect(sha256Hex(readFileSync(join(folder, "one.so")))).toBe(sha256Hex("library".repeat(300_000)));
  });
});
