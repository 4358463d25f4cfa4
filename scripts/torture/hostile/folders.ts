// A folder that somebody else has made is imported by the command: files that name other files of the machine, front
// matter that is built to be slow, pipes and devices. Then several imports of one folder at the same time.

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Bench, cleanEnvironment } from "../../bench/bench.ts";
import { cacheFolder, REPOSITORY, residentMemory } from "../../bench/child-server.ts";
import type { Check } from "../torture.ts";
import type { Caller } from "./tally.ts";

const SECRET = "a file that nobody wanted to import";
const DEADLINE_MS = 5 * 60_000;
const GOOD = "good.md";
/** A file that no rule excludes: comparing its path with this one took more than half a minute. */
const DEEP = `deep/${"a/".repeat(60)}${GOOD}`;
const SLOW_RULE = `a${"/**/a".repeat(8)}/b\n`;
/** What the import of hostile files may take of the memory. */
const MAX_MB = 700;

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("");

/** YAML that took seconds to minutes, and up to 2 GB, before it was measured. */
const SLOW_YAML: Readonly<Record<string, string>> = {
  "many keys": lines(20_000, (index) => `k${index}: 1\n`),
  "many lines": `a: 1\n${"#\n".repeat(30_000)}`,
  "question marks in a flow mapping": `a: {${"? ".repeat(100_000)}}\n`,
  "commas in a flow list": `a: [${",".repeat(60_000)}]\n`,
  "open brackets": `a: ${"[".repeat(60_000)}\n`,
  "deep blocks": lines(60, (index) => `${" ".repeat(index)}a:\n`),
  anchors: lines(40_000, (index) => `a${index}: &a${index} 1\n`),
  aliases: `a: &a 1\nb: [${"*a , ".repeat(10_000)}]\n`,
  "explicit keys": "?\n".repeat(30_000),
};
/** What front matter of an exported record must not name; PARENT is a path to the folder that contains the secret. */
const NAMED = [
  "PARENT/secret.raw.html",
  "../../secret.raw.html",
  "../html/../../secret.raw.html",
  "../html/link.raw.html",
  "../html/pipe.raw.html",
  "../html/device.raw.html",
  "/etc/passwd",
  "../../../../../../../../../../etc/passwd",
];

/** Writes the files. Returns how many of them must fail. */
function writeHostile(folder: string): number {
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const parent = dirname(folder);
  writeFileSync(join(parent, "secret.raw.html"), SECRET);
  write("collections.json", JSON.stringify({ ctxrepo: 1, collections: [] }));
  write("html/good.raw.html", "<p>good");
  symlinkSync(join(parent, "secret.raw.html"), join(folder, "html/link.raw.html"));
  symlinkSync("/dev/zero", join(folder, "html/device.raw.html"));
  const mkfifo = Bun.which("mkfifo");
  if (mkfifo) Bun.spawnSync([mkfifo, join(folder, "html/pipe.raw.html"), join(folder, ".gitignore")]);
  for (const [index, name] of NAMED.entries()) {
    for (const member of ["rawHtml", "contentHtml", "members"]) {
      const value = name.replace("PARENT", parent);
      write(`documents/${member}${index}.md`, `---\nctxrepo: 1\ntitle: t\n${member}: ${value}\n---\n`);
    }
  }
  const slow = Object.entries(SLOW_YAML);
  for (const [name, yaml] of slow) write(`documents/${name}.md`, `---\nctxrepo: 1\n${yaml}---\n`);
  for (const [name, yaml] of slow) write(`notes/${name}.md`, `---\n${yaml}---\n`);
  write("deep/.gitignore", SLOW_RULE);
  write(DEEP, "text");
  write(`documents/${GOOD}`, "---\nctxrepo: 1\nrawHtml: ../html/good.raw.html\n---\n");
  return 3 * NAMED.length + 2 * slow.length;
}

interface Imported {
  outcomes: { path: string; status: string; id?: string }[];
  seconds: number;
  peakMb: number;
}

/** Runs the command until it ends, or for five minutes. */
async function importFolder(bench: Bench, dataDir: string, folder: string): Promise<Imported> {
  const env = cleanEnvironment(await cacheFolder(bench));
  const command = [...REPOSITORY, "import", folder, "--json", "--data-dir", dataDir];
  const startedAt = performance.now();
  const child = bench.own(Bun.spawn(command, { env, stdin: "ignore", stdout: "pipe", stderr: "ignore" }));
  const timer = setTimeout(() => child.kill("SIGKILL"), DEADLINE_MS);
  let peakMb = 0;
  const sampling = setInterval(() => {
    try {
      peakMb = Math.max(peakMb, residentMemory(child.pid).peakMb);
    } catch {
      // It has ended, or this system does not tell.
    }
  }, 50);
  const printed = await new Response(child.stdout).text();
  await child.exited;
  clearInterval(sampling);
  clearTimeout(timer);
  const outcomes = printed.endsWith("]\n") ? JSON.parse(printed) : [];
  return { outcomes, seconds: (performance.now() - startedAt) / 1_000, peakMb };
}

/** Imports of hostile folders, of a store that a server serves. */
export async function* hostileFolders(
  bench: Bench,
  { dataDir, call }: { dataDir: string; call: Caller },
): AsyncGenerator<Check> {
  const folder = join(bench.folder(), "hostile");
  const mustFail = writeHostile(folder);
  const { outcomes, seconds, peakMb } = await importFolder(bench, dataDir, folder);
  const stored = outcomes.filter(({ status }) => status === "created");
  const failed = outcomes.filter(({ status }) => status === "failed");
  let secrets = 0;
  for (const { id } of stored) {
    const { text } = await call("GET", `/v1/documents/${id}`, { kind: "imported document" });
    if (text.includes(SECRET) || text.includes("root:")) secrets++;
  }
  yield { check: "hostile files that an import stores", value: stored.length - 2, unit: "files", atMost: 0 };
  yield {
    check: "hostile files that fail alone",
    value: failed.length,
    unit: "files",
    atLeast: mustFail,
    atMost: mustFail,
  };
  yield { check: "other files of the machine that it stores", value: secrets, unit: "files", atMost: 0 };
  yield { check: "import of hostile files", value: seconds, unit: "s" };
  yield { check: "peak memory of it", value: peakMb, unit: "MB", atMost: MAX_MB };
  yield* togetherIn(bench, { dataDir, call });
}

const FILES = 60;
const IMPORTS = 3;

/** Several imports of one folder at the same time: every file has one record. */
async function* togetherIn(
  bench: Bench,
  { dataDir, call }: { dataDir: string; call: Caller },
): AsyncGenerator<Check> {
  const folder = join(bench.folder(), "together");
  mkdirSync(folder);
  for (let file = 0; file < FILES; file++) writeFileSync(join(folder, `${file}.md`), `tea ${file}`);
  const all = await Promise.all(Array.from({ length: IMPORTS }, () => importFolder(bench, dataDir, folder)));
  const outcomes = all.flatMap((one) => one.outcomes);
  const ids = new Set(outcomes.map(({ id }) => id));
  const wrong = outcomes.filter(({ status }) => status !== "created" && status !== "unchanged");
  const { body } = await call("GET", "/v1/documents?limit=100&includeMetadata=true", { kind: "list" });
  const inFolder = (body?.data ?? []).filter(({ metadata }: { metadata: { importRoot?: string } }) =>
    metadata.importRoot?.endsWith("/together"),
  );
  const records = { unit: "records", atLeast: FILES, atMost: FILES };
  yield {
    check: `records of ${FILES} files after ${IMPORTS} imports at once`,
    value: inFolder.length,
    ...records,
  };
  yield { check: "records that these imports name", value: ids.size, ...records };
  yield { check: "files that one of them failed to import", value: wrong.length, unit: "files", atMost: 0 };
}
