// The walls of the house, read from the import lines: who may import whom, which library stands in which room, who may
// read the time. Move a wall here, in README's "Architecture" and in the code in one change.

import { expect, test } from "bun:test";
import { join, normalize, resolve } from "node:path";

const SRC = resolve(import.meta.dir, "../../src");
const FLOOR = ["kernel", "db", "engine", "jobs", "auth", "retrieval"];

/** What each room may import beside itself. `top` are the files of src itself that open and configure. */
const MAY_IMPORT: Record<string, string[]> = {
  kernel: [],
  db: ["kernel"],
  engine: ["kernel"],
  jobs: ["db", "kernel"],
  auth: ["db", "kernel"],
  retrieval: ["jobs", "db", "engine", "kernel"],
  top: FLOOR,
  http: ["top", "auth", "db", "kernel"],
  features: ["http", "top", ...FLOOR],
  roof: ["features", "http", "top", ...FLOOR],
  cli: ["roof", "features", "top", ...FLOOR],
};
const ROOF = new Set(["server", "worker", "thread"]);

/** Between features, only along these arrows. */
const ARROWS: Record<string, string[]> = {
  documents: ["collections"],
  prompts: ["collections"],
  chunks: ["documents"],
  reason: ["chunks"],
  search: ["chunks", "documents", "prompts", "collections"],
};

const LIBRARIES: [RegExp, (file: string) => boolean][] = [
  [/^elysia/, (file) => file === "server.ts"],
  [/^@sinclair\/typebox/, (file) => file.startsWith("http/") || file.endsWith("/contract.ts")],
  [/^drizzle-orm/, (file) => /^(db|auth|retrieval)\//.test(file) || file.endsWith("/store.ts")],
  [/^bun:sqlite/, (file) => /^(db|retrieval)\//.test(file)],
  [/^jose/, (file) => file.startsWith("auth/")],
  [/^commander/, (file) => file.startsWith("cli/")],
  [/^(@huggingface|onnxruntime)/, (file) => file.startsWith("engine/embedding/")],
  [/^ipaddr\.js/, (file) => file.startsWith("engine/fetching/")],
  [/^(@mozilla\/readability|linkedom|turndown|@joplin)/, (file) => file.startsWith("engine/extraction/")],
  [/^markdown-it/, (file) => file.startsWith("engine/chunking/")],
];

interface Import {
  file: string;
  target: string;
}

const files = [...new Bun.Glob("**/*.ts").scanSync({ cwd: SRC })]
  .filter((file) => !file.endsWith(".d.ts"))
  .sort();
const texts = new Map(
  await Promise.all(files.map(async (file) => [file, await Bun.file(join(SRC, file)).text()] as const)),
);
const imports = files.flatMap((file): Import[] =>
  [...texts.get(file)!.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, target]) => ({ file, target })),
);
const inside = imports
  .filter(({ target }) => target.startsWith("."))
  .map(({ file, target }) => ({ file, target: normalize(join(file, "..", target)) }))
  .filter(({ target }) => !target.startsWith(".."));

function roomOf(file: string): string {
  const [first, second] = file.split("/");
  if (second !== undefined) return first;
  const name = first.replace(/\.ts$/, "");
  return name === "main" ? "cli" : ROOF.has(name) ? "roof" : "top";
}

test("there are files to look at", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(inside.length).toBeGreaterThan(150);
});

test("rooms import only from the floors below them", () => {
  const broken = inside.filter(({ file, target }) => {
    const [from, to] = [roomOf(file), roomOf(target)];
    return from !== to && !MAY_IMPORT[from].includes(to);
  });
  expect(broken).toEqual([]);
});

test("inside a feature only routes and contracts know HTTP, and the description of the API", () => {
  const broken = inside.filter(
    ({ file, target }) =>
      roomOf(file) === "features" &&
      roomOf(target) === "http" &&
      !/\/(routes|contract)\.ts$|^features\/openapi\//.test(file),
  );
  expect(broken).toEqual([]);
});

test("features import each other only along the arrows", () => {
  const broken = inside.filter(({ file, target }) => {
    if (roomOf(file) !== "features" || roomOf(target) !== "features") return false;
    const [from, to] = [file.split("/")[1], target.split("/")[1]];
    return from !== to && !ARROWS[from]?.includes(to);
  });
  expect(broken).toEqual([]);
});

test("each library stands in its own room", () => {
  const broken = imports.filter(({ file, target }) =>
    LIBRARIES.some(([library, allowed]) => library.test(target) && !allowed(file)),
  );
  expect(broken).toEqual([]);
});

test("only the clock reads the time, and nothing uses Math.random", () => {
  const reads = /\b(Date\.now|performance\.now|new Date\(\)|Math\.random)\b/;
  expect(files.filter((file) => file !== "kernel/clock.ts" && reads.test(texts.get(file)!))).toEqual([]);
});

test("every file says in its first line what it is, and none is longer than 350 lines", () => {
  const opening = /^(#!.*\n)?\/\/ \S/;
  expect(files.filter((file) => !opening.test(texts.get(file)!))).toEqual([]);
  expect(files.filter((file) => texts.get(file)!.split("\n").length > 351)).toEqual([]);
});
