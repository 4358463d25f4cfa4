// A reader follows the documentation: the commands of its shell blocks run in their order, as they are printed there, in
// a shell of a new user with some notes. Addresses of other machines lead to servers of this test.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { DOCUMENTS } from "../../scripts/docs.ts";
import { article, html, type Pages, startPages } from "../helpers/pages.ts";
import { runProgram, type ServingProgram, serveProgram } from "../helpers/program.ts";
import { newReader, type Reader } from "../helpers/reader.ts";
import { makeTempDir } from "../helpers/start.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** The beginnings of lines that do not run here, and why. */
const NOT_RUN: Record<string, string> = {
  "alias ": "the reader has the command already",
  "bun run": "is for developers, and takes long",
  "bun scripts/": "is for developers",
  "cp dist/ctxrepo": "needs the executable",
  'ctxrepo prompt "review a change" --label':
    "needs a label, which the console puts; test/cli/records.test.ts",
  docker: "needs a container tool",
  'eval "$(ctxrepo completion': "is for other shells; test/cli/completion.test.ts runs it there",
  "grep -F": "reads a log of the reader",
  "jq ": "reads a log of the reader",
  journalctl: "needs systemd",
  litestream: "is another program",
  "mkdir -p ~/.local/bin": "needs a release",
  "mv ctxrepo-": "needs a release",
  "npm ": "builds or installs; test/unit/packaging tests it",
  ollama: "is another program",
  "read -rs": "is for other shells; the variable is set",
  "scripts/start": "installs packages",
  "scripts/test": "is for developers",
  "sh install.sh": "needs a release; test/unit/packaging runs it",
  "sha256sum --check": "needs a release",
  shasum: "needs a release",
  sudo: "changes the system",
  systemctl: "changes the system",
  "tar ": "needs a release",
};

interface Page {
  /** What is in the home folder, beside two notes. */
  files?: Record<string, string>;
  /** What the reader has done before the first line that starts so. */
  before?: Record<string, string>;
  /** What the line that starts so prints. */
  prints?: Record<string, string>;
  /** Whether a server runs at the beginning. */
  isServing?: boolean;
}

const BREAD = {
  "Recipes/2026/bread.md": "# Sourdough\n\nThe dough of the sourdough bread rests for twelve hours.\n",
};
const IMPORT_BREAD = "ctxrepo import ~/Recipes --collection Recipes --tag bread --tag recipe";

/** What pages assume that their reader has. */
const PAGES: Record<string, Page> = {
  "README.md": {
    prints: {
      "ctxrepo ask": "six hours of sun",
      "ctxrepo search": "Water the garden in the morning.",
      "ctxrepo keys create": "gm_",
    },
  },
  "docs/air-gapped.md": {
    files: { "docs/keys.md": "# Keys\n\nKeys are protected by their hash.\n", "dist/empty": "" },
    before: {
      "cd dist": "cp ctxrepo dist",
      "sha256sum -c": "cd; cp dist/ctxrepo.sha256 .",
      "./ctxrepo serve --models-dir": `mkdir -p opt/models; ln -s "${ROOT}/models/all-MiniLM-L6-v2" opt/models/my-model`,
    },
    prints: { "unshare -n ./ctxrepo search": "Keys are protected" },
  },
  "docs/answers.md": {
    before: { "ctxrepo serve": "ctxrepo import ~/notes" },
    prints: { "ctxrepo ask": "The model says so." },
  },
  "docs/api-notes.md": { before: { "ctxrepo users link": "ctxrepo keys create --user carol@example.org" } },
  "docs/backup.md": {
    files: { "backups/empty": "" },
    before: {
      "ctxrepo backup": "ctxrepo import ~/notes",
      "ctxrepo restore": "mv ~/backups/ctxrepo-*.db ~/backups/ctxrepo-2026-11-22.db",
    },
  },
  "docs/coming-from.md": {
    files: { "notes/Licence renewal.md": "Renew the licence at the town hall.\n", "Vault/Tea.md": "Tea.\n" },
    prints: { "ctxrepo search": "town hall", "ctxrepo ask": "town hall", "ctxrepo get": "town hall" },
  },
  "docs/console.md": { isServing: true },
  "docs/everyday.md": {
    files: {
      ...BREAD,
      "draft.md": "# Draft\n\nA draft.\n",
      "review.md": "Review for ${focus}: ${diff}\n",
      "change.diff": "+ a line\n",
    },
    isServing: true,
    before: {
      "ctxrepo history": 'echo "The boiler code is E21." | ctxrepo add --title Boiler; ctxrepo edit boiler',
      "ctxrepo refresh --coll": `${IMPORT_BREAD} --wait`,
    },
    prints: {
      "ctxrepo get boiler ": "E21",
      'ctxrepo prompt "review': "Review for speed: + a line",
      "ctxrepo scrape": "Bread rises",
      "ctxrepo search sourdough": "twelve hours",
      "ctxrepo ask": "twelve hours",
      "ctxrepo list documents --collection Recipes": "Sourdough",
    },
  },
  "docs/getting-started.md": {
    prints: {
      "ctxrepo search 'which": "Tomatoes",
      "ctxrepo search --literal": "kettle",
      "ctxrepo ask": "six hours of sun",
      "ctxrepo scrape": "Bread rises",
      "curl -G": "The kettle whistles",
    },
  },
  "docs/importing.md": {
    isServing: true,
    files: {
      "README.md": "# Read me\n",
      "papers/colour.md": "The colour of paper.\n",
      "Obsidian/Vault/Tea.md": "Tea.\n",
      "src/my-project/docs/release.md": "# Release\n\nA release is made by the command release.\n",
      "src/my-project/README.md": "# My project\n",
    },
    prints: { "ctxrepo ask": "made by the command" },
  },
  "docs/scraping.md": {
    isServing: true,
    before: {
      "curl http": "KEY=$(ctxrepo keys create)",
      "curl -X POST":
        'ctxrepo scrape example.org/bread; ID=$(ctxrepo list --json | sed -n \'s/.*"id": *"\\([^"]*\\)".*/\\1/p\' | head -n 1)',
    },
    prints: { "ctxrepo scrape example.com --print": "Bread rises", "ctxrepo scrape https://docs": "created" },
  },
  "docs/search-syntax.md": {
    files: { ...BREAD, "notes/Licenses/refund.md": 'The annual plan: no refund in "TODO".\n' },
    isServing: true,
    before: { "ctxrepo search 'refund": `${IMPORT_BREAD}; ctxrepo import ~/notes --collection "My notes"` },
    prints: { "ctxrepo search 'refund": "annual plan", "ctxrepo search tag": "Sourdough" },
  },
  "docs/replication.md": {
    before: {
      "ctxrepo doctor": "ctxrepo backup ~/copy.db; ctxrepo restore ~/copy.db --data-dir ~/ctxrepo-restored",
    },
  },
  "docs/sync.md": { prints: { "ctxrepo remote check": "documents.create" } },
};

let root: string;
let other: ServingProgram;
let otherKey: string;
let site: Pages;
let model: Bun.Server<undefined>;

beforeAll(async () => {
  root = makeTempDir("ctxrepo-documentation-");
  other = await serveProgram(join(root, "other"));
  otherKey = (await runProgram(["keys", "create", "--data-dir", join(root, "other")])).stdout.trim();
  const page = () => article("Bread", "Bread rises in a warm place, and is baked in a hot oven after that.");
  site = startPages({
    "/": page,
    "/bread": page,
    "/guide/": () =>
      html(
        '<title>A guide</title><main><h1>A guide</h1><p>A guide to bread.</p><a href="/guide/a">A</a></main>',
      ),
    "/robots.txt": () => new Response("not found", { status: 404 }),
  });
  model = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answerAsModel });
});
afterAll(async () => {
  await Promise.all([site.stop(), model.stop(true), other.kill("SIGTERM")]);
  rmSync(root, { recursive: true, force: true });
});

/** Embeds all texts alike, and answers every question with a quotation of the first passage. */
async function answerAsModel(request: Request): Promise<Response> {
  const body = (await request.json()) as { input?: string[]; messages?: { content: string }[] };
  if (body.input) {
    return Response.json({ data: body.input.map((_, index) => ({ index, embedding: [1, 2, 3, 4] })) });
  }
  const { evidence } = JSON.parse(body.messages!.at(-1)!.content) as { evidence: { id: string }[] };
  const content = JSON.stringify({ answer: `The model says so. [[${evidence[0]!.id}]]` });
  return Response.json({ choices: [{ message: { content } }] });
}

/** A line as this reader types it: addresses lead to servers of this test. */
function typed(line: string, reader: Reader, url: string): string {
  const replaced: [string | RegExp, string][] = [
    [/https:\/\/(notes\.example\.org|context\.example\.com)(?= --key-env)/g, other.url],
    ["https://docs.example.com", site.url.replace("127.0.0.1", "localhost")],
    [/(?<![\w.@])(https:\/\/)?example\.(com|org)(?=[\s/"']|$)/g, site.url],
    ["http://127.0.0.1:11434", `http://127.0.0.1:${model.port}`],
    ["http://127.0.0.1:4817", url],
    ["192.168.1.10", "127.0.0.1"],
    ["5000", "0"],
    ["/opt/", `${reader.home}/opt/`],
    [/^unshare -n /, ""],
    [/(?<=refresh |rm )NAME/, "'A guide'"],
    [/(?<=documents\/)ID/, "$ID"],
  ];
  return replaced.reduce(
    (text, [from, to]) => text.replaceAll(from instanceof RegExp ? new RegExp(from, "g") : from, to),
    line,
  );
}

/** The commands of the shell blocks, without comments. One with an open quotation mark goes on in the next line. */
function linesOf(text: string): string[] {
  const blocks = [...text.matchAll(/(<!-- tested: \w+ -->\n)?^( *)```sh\n([\s\S]*?)\n\2```/gm)];
  return blocks
    .filter(([, isTestedElsewhere]) => isTestedElsewhere === undefined)
    .map(([, , , code = ""]) => code.replaceAll("\\\n", " ").replaceAll(/(^| +)# .*/gm, ""))
    .flatMap((code) => code.match(/([^'"\n]|'[^']*'|"[^"]*")+/g) ?? [])
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

const isLasting = (line: string) => /ctxrepo (serve|import .*--watch)\b/.test(line);
const startsWith = (starts: readonly string[], line: string) =>
  starts.find((start) => line.startsWith(start));

const WITH_COMMANDS: string[] = [];
const TEXTS: Record<string, string> = {};
for (const name of DOCUMENTS) {
  TEXTS[name] = readFileSync(join(ROOT, name), "utf8");
  if (linesOf(TEXTS[name]).some((line) => startsWith(Object.keys(NOT_RUN), line) === undefined))
    WITH_COMMANDS.push(name);
}

describe.each(WITH_COMMANDS)("%s", (name) => {
  const { files = {}, before = {}, prints = {}, isServing = false } = PAGES[name] ?? {};
  let reader: Reader;
  beforeAll(async () => {
    reader = await newReader({
      DESK_KEY: otherKey,
      HOSTED_KEY: otherKey,
      CTXREPO_SCRAPE_PRIVATE_NETWORK: "allow",
      GIT_AUTHOR_NAME: "A reader",
      GIT_AUTHOR_EMAIL: "reader@example.org",
      GIT_COMMITTER_NAME: "A reader",
      GIT_COMMITTER_EMAIL: "reader@example.org",
    });
  });
  afterAll(() => reader.leave());

  /** The address of the reader's server. */
  let url = "";
  /** Starts what runs until it is interrupted, instead of what was started before. */
  async function keepRunning(line: string): Promise<string> {
    await reader.interrupt();
    const screen = await reader.start(line, /listening on \S+\n|"port":|watching /);
    url = /listening on (\S+)/.exec(screen)?.[1] ?? url;
    return screen;
  }

  test("its commands run", async () => {
    await reader.write({
      "notes/Tomatoes.md": "Tomatoes need six hours of sun a day.\n",
      "notes/Garden.md": "Water the garden in the morning.\n",
      ...files,
    });
    if (isServing) await keepRunning("ctxrepo serve");
    const firsts = new Map(Object.entries(before));
    const unseen = new Set(Object.keys(prints));
    for (const line of linesOf(TEXTS[name]!)) {
      if (startsWith(Object.keys(NOT_RUN), line) !== undefined) continue;
      const expected = startsWith(Object.keys(prints), line);
      if (expected !== undefined) unseen.delete(expected);
      const missing = ["curl", "git", "sha256sum"].find((one) => line.includes(`${one} `) && !Bun.which(one));
      if (missing !== undefined) {
        console.warn(`skipped: ${line}: ${missing} is not installed`);
        continue;
      }
      const start = startsWith([...firsts.keys()], line);
      if (start !== undefined) {
        await reader.run(typed(firsts.get(start)!, reader, url));
        firsts.delete(start);
      }
      const command = typed(line, reader, url);
      const screen = isLasting(line) ? await keepRunning(command) : await reader.run(command);
      if (expected !== undefined) expect(screen.replaceAll(/\s+/g, " ")).toContain(prints[expected]!);
    }
    expect([[...firsts.keys()], [...unseen]]).toEqual([[], []]);
    const opens = linesOf(TEXTS[name]!).some((line) => /^ctxrepo open(?! --print)/.test(line));
    if (opens) expect(readFileSync(reader.opened, "utf8")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\//);
  }, 300_000);
});

test("the lines that do not run here are in the documentation", () => {
  const lines = Object.values(TEXTS).flatMap(linesOf);
  expect(Object.keys(NOT_RUN).filter((start) => !lines.some((line) => line.startsWith(start)))).toEqual([]);
});
