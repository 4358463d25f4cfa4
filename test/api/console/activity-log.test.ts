// The activity log: what of agents is recorded, for whom, how long, and how it is switched off.

import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { createKey } from "../../../src/auth/keys.ts";
import { ensureUser } from "../../../src/auth/users.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { consoleClient } from "../../helpers/console-client.ts";
import { mcpPoster } from "../../helpers/mcp.ts";
import { createClient, makeTempDir, type Started, startServer, useServer } from "../../helpers/start.ts";

const DAY_MS = 86_400_000;
const clock = new ManualClock(Date.UTC(2026, 10, 1));
const started = useServer({ clock });
const owner = await consoleClient(started);

/** Requests with a new key of the owner that has this name. */
function keyOf({ write, url, send }: Started, name: string) {
  const scopes = ["documents.write" as const, "prompts.write" as const];
  const { key } = write((opened) =>
    createKey(opened, ensureUser(opened, "owner@localhost"), { name, scopes }),
  );
  return { key, client: createClient(url, key, send) };
}
const robot = keyOf(started, "robot").client;

/** What the console reports after the waiting entries have been written. */
async function happened(since = "", client = owner) {
  started.writeActivity();
  return (await client("GET", `/console/api/happened?since=${since}`)).body.data;
}
const entries = () =>
  started.app.store.sql.query<{ text: string | null }, []>("SELECT * FROM activity").all();
const forget = () => started.write(({ sql }) => sql.run("DELETE FROM activity"));

describe("the activity log", () => {
  test("counts what each agent has written, changed, read, searched, asked and deleted", async () => {
    const { body } = await robot("POST", "/v1/documents", { title: "Kettle", content: "It whistles." });
    const { id } = body.data;
    await robot("PATCH", `/v1/documents/${id}`, { content: "It whistles twice." });
    const prompt = await robot("POST", "/v1/prompts", { title: "p", description: "", content: "c" });
    await robot("GET", `/v1/prompts/${prompt.body.data.id}`);
    await robot("GET", `/v1/documents/${id}`);
    await robot("GET", `/v1/documents/${id}`);
    await robot("GET", "/v1/search?q=whistles&semantic=false");
    await robot("POST", "/v1/reason", { query: "How loud is the kettle?" });
    const gone = await robot("POST", "/v1/documents", { title: "Gone", content: "x" });
    await robot("DELETE", `/v1/documents/${gone.body.data.id}`);
    const { agents, isLogged } = await happened();
    expect(isLogged).toBeTrue();
    expect(agents).toEqual([
      {
        agent: "key robot",
        kind: expect.anything(),
        name: "owner@localhost",
        written: 2,
        changed: 1,
        deleted: 1,
        read: 3,
        searched: 1,
        asked: 1,
      },
    ]);
    const [latest] = (await owner("GET", "/console/api/changes?limit=1")).body.data;
    await robot("PATCH", `/v1/documents/${id}`, { content: "It hums." });
    expect((await happened(latest.id)).agents).toMatchObject([{ written: 0, changed: 1 }]);
    forget();
  });

  test("records what programs do over MCP, and nothing that the console or a request without success does", async () => {
    const { ask } = mcpPoster({
      send: started.send,
      url: started.url,
      key: { ...started.key, key: keyOf(started, "laptop").key },
    });
    await ask(
      "tools/call",
      { name: "find_items", arguments: { query: "harbour" } },
      {
        headers: { "User-Agent": "cursor/1.7" },
      },
    );
    await owner("GET", "/v1/search?q=harbour");
    await robot("GET", "/v1/search?q=harbour&limit=0");
    await robot("GET", "/v1/documents/2yGqQzDbdVZNFCVpSyVEFDUUbZ5");
    const { agents } = await happened("z");
    expect(agents).toEqual([]);
    expect(entries()).toMatchObject([{ agent: "key laptop, cursor", kind: "search", text: "harbour" }]);
    forget();
  });

  test("lists what was not found as questions until it is found or dismissed", async () => {
    const search = () => robot("GET", "/v1/search?q=lighthouse&semantic=false");
    await search();
    await search();
    await robot("POST", "/v1/reason", { query: "How tall is the lighthouse?" });
    const { questions } = await happened();
    const texts = questions.map(({ text, kind, times }: { text: string; kind: string; times: number }) => [
      kind,
      text,
      times,
    ]);
    expect(texts.sort()).toEqual([
      ["question", "How tall is the lighthouse?", 1],
      ["search", "lighthouse", 2],
    ]);
    await robot("POST", "/v1/documents", { title: "Tower", content: "The lighthouse." });
    await started.settle();
    await search();
    expect((await happened()).questions).toMatchObject([{ kind: "question" }]);
    const dismissed = { text: "How tall is the lighthouse?" };
    expect((await owner("POST", "/console/api/questions/dismiss", dismissed)).status).toBe(200);
    expect((await owner("POST", "/console/api/questions/dismiss", dismissed)).status).toBe(404);
    expect((await happened()).questions).toEqual([]);
    forget();
  });

  test("belongs to one user, and its texts are not in the log of the server", async () => {
    await robot("GET", "/v1/search?q=secretword&semantic=false");
    started.writeActivity();
    const other = started.clientOf("other@example.org");
    const { body } = await other("GET", "/console/api/happened");
    expect(body.data).toMatchObject({ agents: [], questions: [] });
    await other("POST", "/console/api/questions/dismiss", { text: "secretword" });
    expect(entries()).toHaveLength(1);
    expect(started.log.join("\n")).not.toContain("secretword");
    forget();
  });

  test("shortens long queries, and forgets a read with its record", async () => {
    const { body } = await robot("POST", "/v1/documents", { title: "Log", content: "x" });
    await robot("GET", `/v1/documents/${body.data.id}`);
    await robot("GET", `/v1/search?q=${"wordy+".repeat(150)}&semantic=false`);
    started.writeActivity();
    expect(entries().map(({ text }) => text?.length)).toEqual([undefined, 300]);
    await owner("DELETE", `/v1/documents/${body.data.id}`);
    expect(entries()).toHaveLength(1);
    // Deleted before it could be written.
    const short = await robot("POST", "/v1/documents", { title: "Short", content: "x" });
    await robot("GET", `/v1/documents/${short.body.data.id}`);
    await owner("DELETE", `/v1/documents/${short.body.data.id}`);
    started.writeActivity();
    expect(entries()).toHaveLength(1);
    forget();
  });

  test("keeps 20,000 entries of a user, and those of 30 days", async () => {
    started.write(({ sql, now }) => {
      const insert = sql.prepare(
        "INSERT INTO activity (id, user_id, agent, kind, text, count, times, at) VALUES (?, ?, 'key old', 'search', ?, 1, 1, ?)",
      );
      for (let at = 0; at < 20_010; at++)
        insert.run(`0${at}`.padStart(27, "0"), started.key.userId, `q${at}`, now);
    });
    await robot("GET", "/v1/search?q=newest&semantic=false");
    started.writeActivity();
    expect(entries()).toHaveLength(20_000);
    expect(entries().some(({ text }) => text === "newest")).toBeTrue();
    clock.advance(31 * DAY_MS);
    for (let flush = 0; flush < 10; flush++) {
      await robot("GET", `/v1/search?q=later${flush}&semantic=false`);
      started.writeActivity();
    }
    expect(entries()).toHaveLength(10);
  });
});

describe("switched off", () => {
  const dataDir = makeTempDir();
  afterAll(() => rmSync(dataDir, { recursive: true }));

  test("it deletes what was recorded and records nothing", async () => {
    const search = async (activityLog: "on" | "off") => {
      const server = startServer({ dataDir, settings: { activityLog } });
      await keyOf(server, activityLog).client("GET", "/v1/search?q=harbour&semantic=false");
      server.writeActivity();
      const { body } = await (await consoleClient(server))("GET", "/console/api/happened");
      const rows = server.app.store.sql.query("SELECT agent FROM activity").all();
      await server.stop();
      return { rows: rows.length, isLogged: body.data.isLogged };
    };
    expect(await search("on")).toEqual({ rows: 1, isLogged: true });
    expect(await search("off")).toEqual({ rows: 0, isLogged: false });
  });
});
