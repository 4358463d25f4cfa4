// Dependency rules, read from the import lines: which module may import which, which library is used where, who may
// read the time. Change a rule here, in docs/architecture.md and in the code in one commit.

import { expect, test } from "bun:test";
import { join, normalize, resolve } from "node:path";

const SRC = resolve(import.meta.dir, "../../src");

/** What each module may import besides itself. */
const MAY_IMPORT: Record<string, string[]> = {
  kernel: [],
  base: ["kernel"],
  workers: ["kernel"],
  db: ["kernel"],
  engine: ["workers", "kernel"],
  jobs: ["db", "kernel"],
  auth: ["db", "kernel"],
  retrieval: ["jobs", "db", "engine", "workers", "kernel"],
  http: ["jobs", "auth", "db", "kernel"],
  maintenance: ["retrieval", "auth", "jobs", "engine", "db", "workers", "base", "kernel"],
  features: ["http", "retrieval", "auth", "jobs", "engine", "db", "base", "kernel"],
  site: ["features", "http", "retrieval", "auth", "jobs", "engine", "db", "base", "kernel"],
  mcp: ["features", "http", "auth", "db", "base", "requests", "kernel"],
  root: [
    "mcp",
    "site",
    "features",
    "http",
    "maintenance",
    "retrieval",
    "auth",
    "jobs",
    "engine",
    "db",
    "workers",
    "base",
    "kernel",
  ],
  cli: [
    "root",
    "importing",
    "sync",
    "requests",
    "site",
    "mcp",
    "features",
    "maintenance",
    "retrieval",
    "auth",
    "jobs",
    "engine",
    "db",
    "workers",
    "base",
    "kernel",
  ],
  requests: ["kernel"],
  // Of features only the types of replies.
  sync: ["features", "requests", "kernel"],
  importing: ["requests", "engine", "kernel"],
  // Runs in the browser, so only what needs no runtime.
  console: ["importing", "requests", "kernel"],
};
/** What the folders inside a module may import of each other. */
const INSIDE: Record<string, Record<string, string[]>> = {
  retrieval: {
    words: [],
    vectors: [],
    generations: ["words", "vectors"],
    search: ["generations", "words", "vectors"],
  },
  engine: {
    markdown: [],
    text: [],
    inference: [],
    language: [],
    fetching: [],
    extraction: [],
    chunking: ["markdown"],
    embedding: ["inference", "language"],
    answers: ["markdown", "text", "inference", "chunking", "embedding"],
  },
};

/** Allowed imports between features. */
const FEATURE_IMPORTS: Record<string, string[]> = {
  documents: ["collections"],
  prompts: ["collections"],
  chunks: ["documents"],
  console: ["documents", "prompts", "collections", "reason"],
  identity: ["documents", "prompts", "collections"],
  reason: ["chunks"],
  search: ["chunks", "documents", "prompts", "collections"],
};

/** The folders that run SQL text. Features' stores and auth/ use drizzle. */
const MAY_USE_SQL = /^(db|jobs|retrieval|maintenance)\//;

const LIBRARIES: [RegExp, (file: string) => boolean][] = [
  [/^elysia/, (file) => file === "server.ts" || file === "http/plugin.ts"],
  [/^@sinclair\/typebox/, (file) => file.startsWith("http/") || file.endsWith("/contract.ts")],
  [/^drizzle-orm/, (file) => /^(db|auth)\//.test(file) || file.endsWith("/store.ts")],
  [/^bun:sqlite/, (file) => MAY_USE_SQL.test(file)],
  [/^jose/, (file) => file.startsWith("auth/")],
  [/^@modelcontextprotocol/, (file) => file === "mcp/protocol.ts"],
  [/^jsonc-parser/, (file) => file.startsWith("cli/setup/")],
  [/^commander/, (file) => file.startsWith("cli/")],
  [/^(@huggingface|onnxruntime)/, (file) => file.startsWith("engine/inference/")],
  [/^ipaddr\.js/, (file) => file.startsWith("engine/fetching/")],
  [
    /^(@mozilla\/readability|linkedom|turndown|@joplin|unpdf|mammoth|jszip)/,
    (file) => file.startsWith("engine/extraction/"),
  ],
  [/^markdown-it/, (file) => file.startsWith("engine/markdown/") || file.startsWith("console/text/markdown")],
  [/^(preact|@preact)/, (file) => file.startsWith("console/")],
  [/^(@codemirror|@lezer\/highlight)/, (file) => file === "console/parts/code-editor.ts"],
  [/^@lezer\/(?!highlight)/, (file) => file === "engine/extraction/office/code.ts"],
  [/^idb$/, (file) => file === "console/frame/drafts.ts"],
  [/^node-diff3$/, (file) => file === "kernel/merge.ts"],
  [/^fflate$/, (file) => file === "console/parts/export.ts"],
  [/^highlight\.js/, (file) => file === "console/text/highlight.ts"],
  [/^@leeoniya/, (file) => file === "console/frame/palette.tsx"],
  [/^dompurify/, (file) => file === "console/text/sanitise.ts"],
  [/^yaml$/, (file) => file.startsWith("importing/")],
  [/^eld/, (file) => file.startsWith("engine/language/")],
  [/^diff$/, (file) => file === "kernel/compare.ts"],
];

interface Import {
  file: string;
  target: string;
}

const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync({ cwd: SRC })]
  .filter((file) => !file.endsWith(".d.ts"))
  .sort();
const texts = new Map(
  await Promise.all(files.map(async (file) => [file, await Bun.file(join(SRC, file)).text()] as const)),
);
const imports = files.flatMap((file): Import[] =>
  [...texts.get(file)!.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, target]) => ({
    file,
    target: target!,
  })),
);
/** The types of the replies of /console/api and the names of scopes, which the page imports. */
const TYPES_FOR_CONSOLE = /^(features\/console\/replies|auth\/scopes)\.ts$/;
const inside = imports
  .filter(({ target }) => target.startsWith("."))
  .map(({ file, target }) => ({ file, target: normalize(join(file, "..", target)) }))
  .filter(({ target }) => !target.startsWith(".."));

function moduleOf(file: string): string {
  const [first, second] = file.split("/");
  // The entry point of worker threads connects modules, too.
  if (second !== undefined) return file === "workers/entry.ts" ? "root" : first!;
  return first === "main.ts" ? "cli" : "root";
}

test("source files and imports are found", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(inside.length).toBeGreaterThan(150);
});

test("modules import only from the modules below them", () => {
  const broken = inside.filter(({ file, target }) => {
    const [from, to] = [moduleOf(file), moduleOf(target)];
    if (from === "console" && TYPES_FOR_CONSOLE.test(target)) return false;
    return from !== to && !MAY_IMPORT[from]!.includes(to);
  });
  expect(broken).toEqual([]);
});

test.each(["src", "scripts", "test"])(
  "no file of %s imports itself through others, types included",
  async (folder) => {
    const root = resolve(SRC, "..", folder);
    const glob = new Bun.Glob("**/*.{ts,tsx}");
    const graph = new Map<string, string[]>();
    for (const file of glob.scanSync({ cwd: root })) {
      if (file.includes("node_modules")) continue;
      const text = await Bun.file(join(root, file)).text();
      const targets = [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, target]) =>
        normalize(join(file, "..", target!)),
      );
      graph.set(file, targets);
    }
    // A file that imports nothing that is left is in no cycle.
    for (let before = -1; before !== graph.size; ) {
      before = graph.size;
      for (const [file, targets] of graph)
        if (!targets.some((target) => graph.has(target))) graph.delete(file);
    }
    expect([...graph.keys()]).toEqual([]);
  },
);

test.each(Object.entries(INSIDE))("folders of %s import each other only as listed", (module, folders) => {
  const own = inside.filter(({ file, target }) => [file, target].every((one) => moduleOf(one) === module));
  const folderOf = (file: string) => file.split("/")[1]!;
  const broken = own.filter(({ file, target }) => {
    const [from, to] = [folderOf(file), folderOf(target)];
    return from !== to && !folders[from]?.includes(to) && !target.endsWith(".wasm");
  });
  expect(own.length).toBeGreaterThan(10);
  expect(broken).toEqual([]);
});

test("what runs in a browser, too, imports nothing that needs a runtime", () => {
  const isShared = (file: string) => /^(console|importing|requests)\//.test(file);
  const engine = /^engine\/(markdown|chunking)\//;
  const reached = new Set(files.filter(isShared));
  for (const file of reached) {
    for (const { target } of inside.filter((one) => one.file === file)) reached.add(target);
  }
  expect([...reached].filter((file) => moduleOf(file) === "engine" && !engine.test(file))).toEqual([]);
  const others = [...reached].filter((file) => !/^(console|importing|requests|engine|kernel)\//.test(file));
  expect(others.filter((file) => !TYPES_FOR_CONSOLE.test(file))).toEqual([]);
  const needs = /["']node:|["']bun[:"']|\bBun\.|\bprocess\./;
  expect([...reached].filter((file) => needs.test(texts.get(file)!))).toEqual([]);
});

test("inside a feature only routes, contracts and the description of the API import http/", () => {
  const broken = inside.filter(
    ({ file, target }) =>
      moduleOf(file) === "features" && moduleOf(target) === "http" && !/\/(routes|contract)\.ts$/.test(file),
  );
  expect(broken).toEqual([]);
});

test("features import each other only as listed", () => {
  const broken = inside.filter(({ file, target }) => {
    if (moduleOf(file) !== "features" || moduleOf(target) !== "features") return false;
    const [from, to] = [file.split("/")[1], target.split("/")[1]];
    return from !== to && !FEATURE_IMPORTS[from!]?.includes(to!);
  });
  expect(broken).toEqual([]);
});

test("each library is used in its own module", () => {
  const broken = imports.filter(({ file, target }) =>
    LIBRARIES.some(([library, allowed]) => library.test(target) && !allowed(file)),
  );
  expect(broken).toEqual([]);
});

/** SQL as text, a statement prepared from it, or a use of the handle that runs it. Passing the handle on is allowed. */
const USES_SQL = [
  /[`"']\s*(SELECT|INSERT|REPLACE|UPDATE|DELETE|PRAGMA|WITH|CREATE|DROP|BEGIN)\s/,
  /\bpreparedSql\b/,
  /\.sql\s*\.\s*\w/,
  /[{,]\s*sql\s*(:\s*\w+\s*)?[,}][^()]*:\s*(Write|Store|Reader|Pick<)/,
];

test.each([
  ['store.sql.query("x")', true],
  ["write.sql\n    .query(text)", true],
  ["function f({ sql, now }: Write) {", true],
  ["function f({ tables, sql: database }: Write) {", true],
  ["const text = `\n  SELECT 1`;", true],
  ["insertVector(write.sql, id, key);", false],
  ["sql`id IN (SELECT value FROM json_each(ids))`", false],
  ['import { eq, sql } from "drizzle-orm";', false],
])("what counts as a use of SQL: %j", (text, expected) => {
  expect(USES_SQL.some((pattern) => pattern.test(text))).toBe(expected);
});

test("SQL text is used only in db/, jobs/, retrieval/ and maintenance/", () => {
  const users = files.filter((file) => USES_SQL.some((pattern) => pattern.test(texts.get(file)!)));
  expect(users.length).toBeGreaterThan(15);
  expect(users.filter((file) => !MAY_USE_SQL.test(file))).toEqual([]);
});

test("every program is started with an environment that is chosen", () => {
  const started = [...texts].flatMap(([file, text]) =>
    text
      .split("Bun.spawn(")
      .slice(1)
      .map((call) => ({ file, call: call.slice(0, 400) })),
  );
  expect(started.length).toBeGreaterThan(3);
  expect(started.filter(({ call }) => !/\benv: /.test(call))).toEqual([]);
});

test("only the clock reads the time, and nothing uses Math.random", () => {
  const reads = /\b(Date\.now|performance\.now|new Date\(\)|Math\.random)\b/;
  const clocks = ["kernel/clock.ts", "console/text/format.ts"];
  expect(files.filter((file) => !clocks.includes(file) && reads.test(texts.get(file)!))).toEqual([]);
});

test("Unicode forms are made by one function, which bounds the time", () => {
  const users = files.filter((file) => /\.normalize\((?:"NF|[a-z]+\))/.test(texts.get(file)!));
  expect(users).toEqual(["kernel/text.ts"]);
});

test("every file starts with a comment, and comments fit into 120 columns", () => {
  const opening = /^(#!.*\n)?\/\/ \S/;
  expect(files.filter((file) => !opening.test(texts.get(file)!))).toEqual([]);
  const isWide = (line: string) => line.length > 120 && /^\s*(?:\/\/|\/?\*)/.test(line);
  expect(files.filter((file) => texts.get(file)!.split("\n").some(isWide))).toEqual([]);
});

test("nothing depends on the lab", async () => {
  const root = resolve(SRC, "..");
  const glob = new Bun.Glob("{src,test,scripts}/**/*.{ts,tsx,mjs}");
  const outside = [...glob.scanSync({ cwd: root })].filter((file) => !file.startsWith("scripts/lab/"));
  const commands = ["package.json", ".ci/run", "Dockerfile"];
  const naming: string[] = [];
  for (const file of [...outside, ...commands]) {
    const text = await Bun.file(join(root, file)).text();
    if (
      commands.includes(file) ? text.includes("scripts/lab") : /(?:from|import\()\s*"[^"]*\blab\//.test(text)
    )
      naming.push(file);
  }
  expect(outside.length).toBeGreaterThan(500);
  expect(naming).toEqual([]);
});
