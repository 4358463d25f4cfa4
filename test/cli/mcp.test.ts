// ctxrepo mcp as a process: with and without a server, several at once, takeover, the ends of its streams.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeAddress } from "../../src/cli/address-file.ts";
import { DEFAULT_MAX_WAIT_MS } from "../../src/cli/client.ts";
import { lockDataDirectory } from "../../src/db/server-lock.ts";
import { targetOf } from "../../src/http/target.ts";
import { VERSION } from "../../src/base/version.ts";
import { type McpProgram, startMcp } from "../helpers/mcp-program.ts";
import { RUNTIME_DIR } from "../helpers/processes.ts";
import { runProgram, type ServingProgram, serveProgram } from "../helpers/program.ts";
import { makeTempDir } from "../helpers/start.ts";

let root: string;
let dataDir: string;
let programs: { kill(signal: NodeJS.Signals): unknown; exited?: Promise<number> }[] = [];
beforeEach(() => {
  root = makeTempDir();
  dataDir = join(root, "data");
});
afterEach(async () => {
  await Promise.all(
    programs.map(async (program) => {
      await program.kill("SIGKILL");
      await program.exited;
    }),
  );
  programs = [];
  rmSync(root, { recursive: true, force: true });
  rmSync(join(RUNTIME_DIR, "ctxrepo"), { recursive: true, force: true });
});

function mcp(args: string[] = [], environment: Record<string, string> = {}): McpProgram {
  const program = startMcp({ dataDir, args, environment });
  programs.push(program);
  return program;
}
async function serve(): Promise<ServingProgram> {
  const server = await serveProgram(dataDir);
  programs.push(server);
  return server;
}

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "t", version: "1" },
};
const note = (title: string) => ({ title, content: "text" });
const titles = async (program: McpProgram) => {
  const { content } = await program.tool("list_documents", { limit: 100 });
  return [...content[0].text.matchAll(/\*\*(\w+)\*\*/g)].map(([, title]) => title).sort();
};

describe("a session", () => {
  test("without a server creates the database and stores; stdout has messages only", async () => {
    const program = mcp();
    const initialized = await program.ask("initialize", INITIALIZE);
    expect(initialized.result).toMatchObject({
      protocolVersion: "2025-06-18",
      serverInfo: { name: "ctxrepo", version: VERSION },
    });
    program.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect((await program.ask("tools/list")).result.tools.length).toBe(12);
    expect((await program.tool("create_document", note("one"))).isError).toBeUndefined();
    program.end();
    expect(await program.exited).toBe(0);
    for (const line of program.stdout().trim().split("\n")) expect(JSON.parse(line).jsonrpc).toBe("2.0");
    expect(program.stdout().trim().split("\n").length).toBe(3);
  });

  test("with a server is its client, also of one that starts later", async () => {
    const early = mcp();
    await early.tool("create_document", note("one"));
    const server = await serve();
    const late = mcp();
    await late.tool("create_document", note("two"));
    await early.tool("create_document", note("three"));
    expect(await titles(early)).toEqual(["one", "three", "two"]);
    expect(await server.kill("SIGTERM")).toBe(0);
    expect(await titles(late)).toEqual(["one", "three", "two"]);
    expect(await titles(early)).toEqual(["one", "three", "two"]);
  });

  test("answers everything that was sent before the end of the input", async () => {
    const program = mcp();
    const asked = ["one", "two", "three"].map((title) => program.tool("create_document", note(title)));
    program.end();
    expect((await Promise.all(asked)).length).toBe(3);
    expect(await program.exited).toBe(0);
  });

  test("announces changes to a client that listens, and ends with its input although that request is open", async () => {
    const program = mcp();
    await program.ask("tools/list");
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": INITIALIZE.clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { notifications: { resourcesListChanged: true }, _meta };
    program.write(JSON.stringify({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params }));
    while (!program.stdout().includes("subscriptions/acknowledged")) await Bun.sleep(20);
    await program.tool("create_document", note("announced"));
    while (!program.stdout().includes("resources/list_changed")) await Bun.sleep(20);
    program.end();
    expect(await program.exited).toBe(0);
  });

  test("reports lines that are no messages, and continues", async () => {
    const program = mcp();
    program.write("garbage");
    program.write("");
    program.write("[]");
    expect((await program.ask("nonsense")).error.code).toBe(-32601);
    expect((await program.ask("tools/call", { name: "nope" })).error.code).toBe(-32602);
    expect(program.stdout()).toContain('"error":{"code":-32700');
    expect((await program.ask("tools/list")).result.tools.length).toBe(12);
  });

  test("answers every object that is no message of JSON-RPC, and no notification, also not in a batch", async () => {
    const program = mcp();
    const invalid = [
      "{}",
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"2.0","id":7,"method":5}',
    ];
    for (const line of invalid) program.write(line);
    program.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    program.write('[{"jsonrpc":"2.0","method":"notifications/initialized"}]');
    program.write('{"jsonrpc":"2.0","id":8,"result":{}}');
    program.end();
    expect(await program.exited).toBe(0);
    const lines = program.stdout().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).error.code)).toEqual(invalid.map(() => -32600));
  });
});

describe("several processes", () => {
  test("share one directory; when the holder is killed, another takes over, and nothing is lost or doubled", async () => {
    const [holder, second, third] = [mcp(), mcp(), mcp()];
    await holder.tool("create_document", note("first"));
    await Promise.all([
      second.tool("create_document", note("a0")),
      third.tool("create_document", note("b0")),
    ]);
    // Requests are on their way in both when the holder dies.
    const names = (prefix: string) => Array.from({ length: 20 }, (_, n) => `${prefix}${n + 1}`);
    const writes = [
      ...names("a").map((title) => second.tool("create_document", note(title))),
      ...names("b").map((title) => third.tool("create_document", note(title))),
    ];
    await writes[0];
    holder.kill("SIGKILL");
    await holder.exited;
    const killedAt = performance.now();
    await second.tool("list_documents");
    const ms = performance.now() - killedAt;
    const results = await Promise.all(writes);
    expect(results.every(({ isError }) => isError === undefined)).toBe(true);
    const expected = ["first", "a0", "b0", ...names("a"), ...names("b")].sort();
    expect(await titles(second)).toEqual(expected);
    expect(await titles(third)).toEqual(expected);
    // A second on an idle machine. A client that waited for the dead process would take longer than this.
    expect(ms).toBeLessThan(DEFAULT_MAX_WAIT_MS);
  });

  test("of different users see their own records", async () => {
    await runProgram(["keys", "create", "--user", "ada@example.org", "--data-dir", dataDir]);
    const [owner, ada] = [mcp(), mcp(["--user", "ada@example.org"])];
    await owner.tool("create_document", note("mine"));
    await ada.tool("create_document", note("hers"));
    expect([await titles(owner), await titles(ada)]).toEqual([["mine"], ["hers"]]);
    const unknown = mcp(["--user", "nobody@example.org"]);
    const { error } = await unknown.ask("tools/call", { name: "list_documents" });
    expect(error.message).toContain("user nobody@example.org does not exist");
  });

  test("may act with a key, whose scopes decide", async () => {
    const created = await runProgram([
      ...["keys", "create", "--user", "ada@example.org", "--scopes", "documents.read", "--json"],
      ...["--data-dir", dataDir],
    ]);
    const { key } = JSON.parse(created.stdout);
    const program = mcp(["--tools", "all"], { CTXREPO_API_KEY: key });
    const listed = await program.ask("tools/list");
    const names = listed.result.tools.map(({ name }: { name: string }) => name);
    expect(names).toContain("get_document");
    expect(names).not.toContain("create_document");
    expect((await program.tool("get_user_info")).structuredContent.email).toBe("ada@example.org");
    const wrong = mcp([], { CTXREPO_API_KEY: "gm_x_y" });
    expect((await wrong.ask("tools/list")).error.message).toContain("the key in CTXREPO_API_KEY is wrong");
    expect(wrong.stderr()).toContain("ctxrepo keys create");
  });
});

describe("the end", () => {
  test.each([
    ["of the input", (program: McpProgram) => program.end()],
    [
      "of its reader",
      async (program: McpProgram) => {
        await program.stopReading();
        program.write('{"jsonrpc":"2.0","id":99,"method":"tools/list"}');
      },
    ],
    ["by SIGTERM", (program: McpProgram) => program.kill("SIGTERM")],
    ["by SIGINT", (program: McpProgram) => program.kill("SIGINT")],
  ])("%s ends the process and releases the directory", async (_, end) => {
    const program = mcp();
    await program.tool("create_document", note("one"));
    await end(program);
    expect(await program.exited).toBe(0);
    expect(existsSync(join(dataDir, "ctxrepo.db-wal"))).toBe(false);
    await serve();
  });
});

describe("before there is a connection", () => {
  test("introductions are answered while another process holds the lock, and the rest as soon as it is free", async () => {
    const before = mcp();
    await before.tool("create_document", note("one"));
    before.end();
    await before.exited;
    const unlock = lockDataDirectory(dataDir);
    const program = mcp();
    const { result } = await program.ask("initialize", INITIALIZE);
    expect(result.instructions).toContain("It contains 1 document and 0 prompts.");
    expect((await program.ask("tools/list")).result.tools.length).toBe(12);
    const asked = titles(program);
    expect((await program.ask("ping")).result).toEqual({});
    unlock();
    expect(await asked).toEqual(["one"]);
  });
});

describe("without a database that can be used", () => {
  test("introductions are answered, and the rest is an error that says why", async () => {
    mkdirSync(dataDir, { mode: 0o700 });
    writeFileSync(join(dataDir, "ctxrepo.db"), "this is not a database".repeat(1_000));
    const program = mcp(["--read-only"]);
    expect((await program.ask("initialize", INITIALIZE)).result.instructions).toContain("find_items");
    expect((await program.ask("tools/list")).result.tools.length).toBe(9);
    const { error } = await program.ask("tools/call", { name: "list_documents" });
    expect(error.message).toContain("the file is not a database");
    expect(program.stderr()).toContain("the file is not a database");
    program.end();
    expect(await program.exited).toBe(0);
  });
});

describe("a server of another version", () => {
  test("is reported with the way out", async () => {
    mkdirSync(dataDir, { mode: 0o700 });
    const { answerLocalCall } = await import("../../src/cli/local-calls.ts");
    const secret = "s".repeat(43);
    const old = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        const answer = answerLocalCall(request, targetOf(request), { secret, calls: { check: () => {} } });
        if (answer) return answer;
        if (new URL(request.url).pathname === "/health") return Response.json({ version: "0.0.1" });
        return Response.json({ error: { code: 404, message: "no such path" } }, { status: 404 });
      },
    });
    const { XDG_RUNTIME_DIR } = process.env;
    process.env.XDG_RUNTIME_DIR = RUNTIME_DIR;
    const remove = writeAddress(dataDir, { url: `http://127.0.0.1:${old.port}`, secret, isServer: true });
    try {
      const program = mcp();
      const { error } = await program.ask("tools/call", { name: "list_documents" });
      expect(error.message).toContain(`server has version 0.0.1, this program ${VERSION}: stop that server`);
      expect(program.stderr()).toContain("server has version 0.0.1");
    } finally {
      remove();
      if (XDG_RUNTIME_DIR === undefined) delete process.env.XDG_RUNTIME_DIR;
      else process.env.XDG_RUNTIME_DIR = XDG_RUNTIME_DIR;
      await old.stop(true);
    }
  });
});
