// Tests a built executable in an empty folder with an empty home: keys, documents, search by meaning, a page scraped
// from this machine, a cited answer, MCP, the console, stop and restart. Prints times and sizes; exits with 1 on
// failure. Usage: bun scripts/smoke.ts EXECUTABLE [RUNNER…]; the runner is an emulator with its flags.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const [executable, ...runner] = process.argv.slice(2);
/** An emulator is about fifty times slower. */
const SLOWNESS = runner.length > 0 ? 10 : 1;
const START_WAIT_MS = 20_000 * SLOWNESS;
const WORK_WAIT_MS = 60_000 * SLOWNESS;
const POLL_MS = 50;

const DOCUMENTS = [
  {
    title: "Tides",
    content: `# Tides

The moon pulls on the water of the oceans, and the side of the earth that faces it bulges outward. As the earth turns, a coast passes through two bulges a day.

## Spring and neap

When sun and moon stand in one line their pulls add up and the range between high and low water is greatest. A week later they stand at a right angle, and the range is least.
`,
  },
  {
    title: "Sourdough",
    content: `# Sourdough

A starter is flour and water in which wild yeasts and lactic acid bacteria live. Feed it daily, and it doubles within a few hours.

## Baking

Shape the loaf, let it rest overnight in the cold, and put it in a very hot oven. Steam in the first minutes keeps the crust soft enough to rise.
`,
  },
  {
    title: "Write-ahead log",
    content: `# Write-ahead log

Changes are appended to a separate file first, so readers go on seeing the old pages while one writer works. A commit is one record at the end of that file.

## Checkpoint

From time to time the pages in the log are copied back into the database file, and the log starts again from its beginning.
`,
  },
];

/** Questions that share no significant word with the paragraph that answers them. */
const QUESTIONS = [
  {
    question: "Why does the sea rise and fall along the shore?",
    title: "Tides",
    paragraph: "The moon pulls",
  },
  { question: "getting home-made bread to puff up", title: "Sourdough", paragraph: "Shape the loaf" },
  {
    question: "many people reading during an update",
    title: "Write-ahead log",
    paragraph: "Changes are appended",
  },
];

interface Server {
  url: string;
  readyMs: number;
  /** Peak resident memory so far, in MB; NaN if the system does not report it. */
  peakMb(): number;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number>;
}

const running = new Set<Bun.Subprocess>();

function check(right: boolean, what: string): void {
  if (!right) throw new Error(what);
}

async function within<Value>(ms: number, what: string, promise: Promise<Value>): Promise<Value> {
  const late = Bun.sleep(ms).then(() => Promise.reject(new Error(`${what}: not finished within ${ms} ms`)));
  return await Promise.race([promise, late]);
}

async function startServer(program: string, cwd: string, env: Record<string, string>): Promise<Server> {
  const startedAt = performance.now();
  const process = Bun.spawn(
    [...runner, program, "serve", "--port", "0", "--scrape-private-network", "allow"],
    {
      cwd,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  running.add(process);
  // Read to the end although only one line matters: the server would fail on a closed pipe.
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const read = async () => {
    let output = "";
    const decoder = new TextDecoder();
    for await (const chunk of process.stdout) {
      output += decoder.decode(chunk, { stream: true });
      const url = /^ctxrepo listening on (http:\/\/\S+)\n/m.exec(output)?.[1];
      if (url) resolve(url);
    }
    reject(new Error(`the server exited with ${await process.exited} before it was ready`));
  };
  read().catch(reject);
  const url = await within(START_WAIT_MS, "start", ready);
  const readyMs = performance.now() - startedAt;
  return {
    url,
    readyMs,
    peakMb() {
      try {
        const status = readFileSync(`/proc/${process.pid}/status`, "utf8");
        return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) / 1000;
      } catch {
        return Number.NaN;
      }
    },
    async stop() {
      process.kill("SIGTERM");
      const exitCode = await within(START_WAIT_MS, "stop", process.exited);
      running.delete(process);
      return exitCode;
    },
  };
}

async function call(url: string, key: string, body?: object): Promise<{ status: number; data: unknown }> {
  const response = await fetch(url, {
    method: body ? "POST" : "GET",
    headers: {
      "User-Agent": "ctxrepo-smoke/1",
      Authorization: `API-Key ${key}`,
      "Content-Type": "application/json",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: unknown };
  return { status: response.status, data: answer.data };
}

interface Health {
  jobs: { queued: number; running: number; failed: number };
  embedder: string;
}

async function untilIndexed(url: string): Promise<void> {
  const poll = async () => {
    for (;;) {
      const { jobs, embedder } = (await (await fetch(`${url}/health`)).json()) as Health;
      check(jobs.failed === 0, `${jobs.failed} jobs failed`);
      if (jobs.queued + jobs.running === 0 && embedder === "ok") return;
      await Bun.sleep(POLL_MS);
    }
  };
  await within(WORK_WAIT_MS, "indexing", poll());
}

async function askEverything(url: string, key: string): Promise<void> {
  for (const { question, title, paragraph } of QUESTIONS) {
    const { status, data } = await call(
      `${url}/v1/search?type=documents&q=${encodeURIComponent(question)}`,
      key,
    );
    const [first] = (data as { documents: { title: string; score: number; highlight: string }[] }).documents;
    check(status === 200 && first !== undefined, `"${question}": ${status}, nothing found`);
    const { score, highlight } = first!;
    console.log(`  "${question}" -> ${first!.title}, ${score.toFixed(2)}: ${highlight.slice(0, 60)}…`);
    check(first!.title === title, `"${question}": expected ${title}`);
    check(highlight.includes(paragraph), `"${question}": expected the paragraph "${paragraph}…"`);
  }
}

const PAGE = `<html><head><title>Kettles</title></head><body><nav><a href="/">Home</a></nav><article><h1>Kettles</h1>
<p>Limescale dissolves in citric acid: twenty grams in half a litre of water, boiled once and left for a quarter of an hour.</p>
<ul><li>Rinse twice afterwards.</li></ul></article></body></html>`;

async function scrapeAndReason(url: string, key: string): Promise<void> {
  const site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(PAGE, { headers: { "Content-Type": "text/html" } }),
  });
  const scraped = await call(`${url}/v1/documents/scrape`, key, {
    url: `http://127.0.0.1:${site.port}/kettles`,
  });
  check(scraped.status === 202, `POST /v1/documents/scrape: ${scraped.status}`);
  await untilIndexed(url);
  await site.stop();
  const { documentId } = scraped.data as { documentId: string };
  const { data } = await call(`${url}/v1/documents/${documentId}`, key);
  const { status, title, content } = data as { status: string; title: string; content: string };
  check(status === "completed" && title === "Kettles", `the scraped page: ${status}, "${title}"`);
  check(
    content.includes("- Rinse twice") && !content.includes("Home"),
    `the content of the scraped page: ${content}`,
  );
  const answered = await call(`${url}/v1/reason`, key, {
    query: "How much citric acid dissolves limescale?",
  });
  const { answer, citations } = answered.data as { answer: string; citations: { documentId: string }[] };
  check(answer.includes("twenty grams") && citations[0]?.documentId === documentId, `the answer: ${answer}`);
  console.log(`  scraped and answered: ${answer.slice(0, 60)}…`);
}

/** Searches through MCP, as the client of a server or without one. */
function searchThroughMcp(program: string, folder: string, env: Record<string, string>): void {
  const { question, title } = QUESTIONS[0]!;
  const message = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const find = { name: "find_items", arguments: { query: question } };
  const input = message(1, "tools/list", {}) + message(2, "tools/call", find);
  const { exitCode, stdout } = Bun.spawnSync([...runner, program, "mcp"], {
    cwd: folder,
    env,
    stdin: Buffer.from(input),
    stderr: "inherit",
  });
  const output = stdout.toString();
  check(exitCode === 0 && output.trim().split("\n").length === 2, `mcp exited with ${exitCode}: ${output}`);
  check(output.includes("deep_search") && output.includes(`**${title}**`), `mcp: ${output}`);
}

/** Loads the page of the console with its script and style sheet, and signs in with the code of `ctxrepo open`. */
async function openConsole(program: string, folder: string, env: Record<string, string>): Promise<void> {
  const { exitCode, stdout } = Bun.spawnSync([...runner, program, "open", "--print"], {
    cwd: folder,
    env,
    stderr: "inherit",
  });
  const address = new URL(stdout.toString().trim());
  check(exitCode === 0 && address.pathname === "/console/", `open exited with ${exitCode}: ${address}`);
  const page = await (await fetch(address)).text();
  const files = [...page.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  check(files.length === 3, `the console loads ${files.length} files`);
  for (const path of files) {
    const { status } = await fetch(new URL(path, address));
    check(status === 200, `${path}: ${status}`);
  }
  const { status } = await fetch(new URL("/console/api/session", address), {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Console": "1", "Sec-Fetch-Site": "same-origin" },
    body: JSON.stringify({ code: address.hash.replace("#signin=", "") }),
  });
  check(status === 201, `signing in to the console: ${status}`);
}

/** Throws if any file exists except the executable, the database and the cache. */
function checkLeftovers(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const expected = /^(ctxrepo|home\/\.cache\/ctxrepo\/.*|home\/\.local\/share\/ctxrepo\/ctxrepo\.db)$/;
  const stray = files.filter((file) => !expected.test(file));
  check(process.platform !== "linux" || stray.length === 0, `unexpected files: ${stray.join(", ")}`);
}

async function drive(executable: string, folder: string): Promise<void> {
  const program = join(folder, "ctxrepo");
  cpSync(executable, program);
  for (const name of ["home", "tmp"]) mkdirSync(join(folder, name));
  const env = { HOME: join(folder, "home"), TMPDIR: join(folder, "tmp"), PATH: "/usr/bin:/bin" };

  const keys = Bun.spawnSync([...runner, program, "keys", "create", "--json"], {
    cwd: folder,
    env,
    stderr: "inherit",
  });
  check(keys.exitCode === 0, `keys create exited with ${keys.exitCode}`);
  const { key } = JSON.parse(keys.stdout.toString()) as { key: string };

  const first = await startServer(program, folder, env);
  const startedAt = performance.now();
  for (const document of DOCUMENTS) {
    const { status } = await call(`${first.url}/v1/documents`, key, document);
    check(status === 201, `POST /v1/documents: ${status}`);
  }
  await untilIndexed(first.url);
  const indexedMs = performance.now() - startedAt;
  await askEverything(first.url, key);
  await scrapeAndReason(first.url, key);
  searchThroughMcp(program, folder, env);
  await openConsole(program, folder, env);
  const peakMb = first.peakMb();
  check((await first.stop()) === 0, "the server did not exit with 0 after SIGTERM");

  const second = await startServer(program, folder, env);
  await askEverything(second.url, key);
  check((await second.stop()) === 0, "the restarted server did not exit with 0 after SIGTERM");
  searchThroughMcp(program, folder, env);
  checkLeftovers(folder);

  console.log(`  executable        ${(statSync(program).size / 1e6).toFixed(1)} MB`);
  console.log(`  start to ready    ${first.readyMs.toFixed(0)} ms, again ${second.readyMs.toFixed(0)} ms`);
  console.log(
    `  3 documents       ${indexedMs.toFixed(0)} ms until indexed, including the first load of the model`,
  );
  console.log(`  peak memory       ${peakMb.toFixed(0)} MB`);
}

check(executable !== undefined, "usage: bun scripts/smoke.ts EXECUTABLE");
const folder = mkdtempSync(join(tmpdir(), "ctxrepo-smoke-"));
try {
  await drive(executable!, folder);
  console.log("smoke: ok");
} catch (error) {
  console.error(`smoke: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  for (const process of running) process.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
