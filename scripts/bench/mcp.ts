// Group mcp: a search through MCP compared with the same search through the API, the size of what agents read, the time
// to the first answer over both transports, and the memory that MCP adds to a server. It uses the command line and HTTP
// only.

import { type Bench, cleanEnvironment } from "./bench.ts";
import {
  type ChildServer,
  type Client,
  cacheFolder,
  clientOf,
  createKey,
  executable,
  headersOf,
  type Program,
  REPOSITORY,
  residentMemory,
  startChild,
} from "./child-server.ts";
import { type Finding, median } from "./measures.ts";
import { createRandom } from "./random.ts";

const DOCUMENTS = 150;
const SEARCHES = 120;
const START_ROUNDS = 5;
const MEMORY_CALLS = 200;
const CHARACTERS_PER_TOKEN = 4;
const REVISION = "2026-07-28";

const SUBJECTS = ["kettle", "windmill", "harbour", "orchard", "database", "invoice", "glacier", "violin"];
const FACTS = [
  "whistles when the water boils and must be watched",
  "was repaired after the storm of last winter",
  "needs a permit that the city council renews every year",
  "is described in the second chapter of the handbook",
  "costs more than it did before the war",
];

/** Yields all measures of the group. */
export async function* mcp(bench: Bench): AsyncGenerator<Finding> {
  const dataDir = bench.folder();
  const server = await startChild(bench, dataDir);
  const key = await createKey(bench, dataDir);
  const client = clientOf(server, key);
  await store(client);
  await server.idle();
  await client("POST", "/v1/pd/search", { query: "warm up" });

  yield* firstMessage(server, key);
  yield* searching(server, client, key);
  yield* sizes(server, key);
  yield* memory(bench, dataDir, key);
  const built = executable();
  if (!built) bench.note("mcp: dist/ctxrepo does not exist (bun run build): only the repository is measured");
  const programs = [["repository", REPOSITORY] as const, ...(built ? [["executable", built] as const] : [])];
  for (const [name, program] of programs) {
    const value = await firstLists(bench, dataDir, program);
    yield { measure: `stdio, ${name}: first tools/list with a server`, value, unit: "ms" };
  }
  await server.stop();
  for (const [name, program] of programs) {
    const value = await firstLists(bench, dataDir, program);
    yield { measure: `stdio, ${name}: first tools/list without a server`, value, unit: "ms" };
  }
  bench.discard(dataDir);
}

async function store(client: Client): Promise<void> {
  const next = createRandom(1);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)]!;
  for (let n = 0; n < DOCUMENTS; n++) {
    const subject = pick(SUBJECTS);
    const paragraphs = Array.from({ length: 6 }, () => `The ${subject} of house ${n} ${pick(FACTS)}.`);
    const content = `# About the ${subject}\n\n${paragraphs.join("\n\n")}`;
    await client("POST", "/v1/documents", { title: `House ${n}: ${subject}`, content });
  }
}

/** Sends one message of the current revision and returns the text of the response. */
async function message(url: string, key: string, sent: { method: string; params?: object; query?: string }) {
  const { method, params = {}, query = "" } = sent;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const { name } = params as { name?: string };
  const response = await fetch(`${url}/mcp${query}`, {
    method: "POST",
    headers: {
      ...headersOf(key),
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": REVISION,
      "Mcp-Method": method,
      ...(name !== undefined && { "Mcp-Name": name }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"isError":true')) throw new Error(`${method} failed: ${text}`);
  return text;
}

const deepSearch = (url: string, key: string, given: object) =>
  message(url, key, { method: "tools/call", params: { name: "deep_search", arguments: given } });

async function timed(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

async function* firstMessage({ url }: ChildServer, key: string): AsyncGenerator<Finding> {
  const firstMs = await timed(() => message(url, key, { method: "tools/list" }));
  const later: number[] = [];
  for (let n = 0; n < 20; n++) later.push(await timed(() => message(url, key, { method: "tools/list" })));
  const baseline = { name: "a later one", value: median(later) };
  yield { measure: "HTTP: first tools/list of a server", value: firstMs, unit: "ms", baseline };
}

async function* searching({ url }: ChildServer, client: Client, key: string): AsyncGenerator<Finding> {
  const next = createRandom(2);
  const newQuery = () =>
    `what is known about the ${SUBJECTS[Math.floor(next() * SUBJECTS.length)]} of house ${Math.floor(next() * 1e6)}`;
  const viaTool = (query: string) => deepSearch(url, key, { query });
  const viaApi = (query: string) => client("POST", "/v1/pd/search", { query });
  for (const [measure, queryOf] of [
    ["deep_search, new query", newQuery],
    ["deep_search, repeated query", () => "what is known about the kettle"],
  ] as const) {
    const times = { tool: [] as number[], api: [] as number[] };
    const measureTool = async () => times.tool.push(await timed(() => viaTool(queryOf())));
    const measureApi = async () => times.api.push(await timed(() => viaApi(queryOf())));
    // In turns, and each as often first: what one has just done may help the other.
    for (let n = 0; n < SEARCHES; n++) {
      const order = n % 2 === 0 ? [measureTool, measureApi] : [measureApi, measureTool];
      for (const measure of order) await measure();
    }
    const baseline = { name: "POST /v1/pd/search", value: median(times.api) };
    yield { measure, value: median(times.tool), unit: "ms", baseline };
  }
}

/**
 * What models read of the tools of similar servers: names, descriptions and schemas as published in their sources in
 * November 2026, in tokens of 4 characters.
 */
const PEERS = {
  qmd: { name: "qmd, 4 tools", value: 1_530 },
  docsMcpServer: { name: "docs-mcp-server, a tool", value: 146 },
  basicMemory: { name: "basic-memory, 20 tools", value: 3_250 },
};

interface ListedTool {
  name: string;
  description: string;
  inputSchema: object;
}

async function* sizes({ url }: ChildServer, key: string): AsyncGenerator<Finding> {
  const tokens = (characters: number) => characters / CHARACTERS_PER_TOKEN;
  const listed = async (query: string): Promise<ListedTool[]> =>
    JSON.parse(await message(url, key, { method: "tools/list", query })).result.tools;
  const read = async (given: object) =>
    JSON.parse(await deepSearch(url, key, { query: "what is known about the kettle", ...given })).result
      .content[0].text.length;
  const onTheWire = (tools: readonly ListedTool[]) => tokens(JSON.stringify(tools).length);
  // Clients do not pass titles, hints and output schemas on to the model.
  const asRead = (tools: readonly ListedTool[]) =>
    onTheWire(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
  const [core, all] = [await listed(""), await listed("?tools=all")];
  const unit = "tokens of 4 characters";
  const named = (tools: readonly ListedTool[], set: string) => `tools/list, ${set} (${tools.length} tools)`;
  yield {
    measure: `${named(core, "core")}, as models read it`,
    value: asRead(core),
    unit,
    baseline: PEERS.qmd,
  };
  yield {
    measure: `${named(all, "all")}, as models read it`,
    value: asRead(all),
    unit,
    baseline: PEERS.basicMemory,
  };
  const perTool = asRead(all) / all.length;
  yield { measure: "a tool, as models read it", value: perTool, unit, baseline: PEERS.docsMcpServer };
  const whole = { name: "all tools", value: onTheWire(all) };
  yield { measure: "tools/list, core, on the wire", value: onTheWire(core), unit, baseline: whole };
  const detailed = { name: "detailed", value: tokens(await read({ response_format: "detailed" })) };
  yield { measure: "deep_search, 10 results", value: tokens(await read({})), unit, baseline: detailed };
}

/** What MCP adds: two servers on copies of the database get the same searches, one through MCP. */
async function* memory(bench: Bench, dataDir: string, key: string): AsyncGenerator<Finding> {
  const query = "what is known about the kettle";
  const used: number[] = [];
  for (const usesMcp of [false, true]) {
    const folder = bench.folder();
    await Bun.$`cp ${dataDir}/ctxrepo.db ${dataDir}/ctxrepo.db-wal ${folder}`.quiet().nothrow();
    const server = await startChild(bench, folder);
    const client = clientOf(server, key);
    for (let n = 0; n < MEMORY_CALLS; n++) {
      if (usesMcp) await deepSearch(server.url, key, { query });
      else await client("POST", "/v1/pd/search", { query });
    }
    used.push(residentMemory(server.pid).nowMb);
    await server.stop();
    bench.discard(folder);
  }
  const [without = Number.NaN, value = Number.NaN] = used;
  const baseline = { name: "the same through the API", value: without };
  yield { measure: `server after ${MEMORY_CALLS} searches through MCP`, value, unit: "MB", baseline };
}

/** The median of several starts. The first one fills the system's file cache. */
async function firstLists(bench: Bench, dataDir: string, program: Program): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= START_ROUNDS; round++) times.push(await firstList(bench, dataDir, program));
  return median(times.slice(1));
}

/** Time from the start of `ctxrepo mcp` to its tools, after initialize as clients do. */
async function firstList(bench: Bench, dataDir: string, program: Program): Promise<number> {
  const env = cleanEnvironment(await cacheFolder(bench));
  const startedAt = performance.now();
  const child = bench.own(
    Bun.spawn([...program, "mcp", "--data-dir", dataDir], {
      env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    }),
  );
  const send = (sent: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...sent })}\n`);
    child.stdin.flush();
  };
  const clientInfo = { name: "bench", version: "1" };
  send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  });
  let output = "";
  let ms = Number.NaN;
  const decoder = new TextDecoder();
  for await (const part of child.stdout) {
    output += decoder.decode(part, { stream: true });
    const lines = output.split("\n").length - 1;
    if (lines === 1 && Number.isNaN(ms) && !output.includes('"tools":[')) {
      send({ id: 2, method: "tools/list" });
    }
    if (lines >= 2) {
      ms = performance.now() - startedAt;
      break;
    }
  }
  child.stdin.end();
  await child.exited;
  return ms;
}
