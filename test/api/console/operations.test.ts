// The operations of /console/api: who may call them, and what they return.

import { describe, expect, test } from "bun:test";
import { FetchError } from "../../../src/engine/fetching/errors.ts";
import { consoleApi } from "../../../src/features/console/routes.ts";
import { retryJob } from "../../../src/jobs/listing.ts";
import { consoleClient } from "../../helpers/console-client.ts";
import { type Client, createClient, useServer } from "../../helpers/start.ts";

const PNG = Buffer.from("iVBORw0KGgo=", "base64");
const started = useServer({
  fetcher: {
    async fetch({ url, expects }) {
      if (expects !== "image") throw new FetchError("HTTP_404", "the server responded with status 404");
      if (url.includes("missing")) throw new FetchError("HTTP_404", "the server responded with status 404");
      return { notModified: false, body: new Uint8Array(PNG), contentType: "image/png", finalUrl: url };
    },
    setOwnPort() {},
  },
});
const owner = await consoleClient(started);
const other = started.clientOf("other@example.org");

const create = async (title: string, content: string) =>
  (await started.client("POST", "/v1/documents", { title, content })).body.data.id as string;

describe("every operation", () => {
  const pathOf = (path: string) => path.replace(":id", "2yGqQzDbdVZNFCVpSyVEFDUUbZ5");

  const answered = consoleApi.filter(
    ({ requires, name }) => requires !== "public" && name !== "console.events.stream",
  );

  test.each(answered.map(({ name }) => name))("%s needs a credential, and is not cached", async (name) => {
    const { method, path } = consoleApi.find((operation) => operation.name === name)!;
    const anonymous = await started.client(method, pathOf(path), undefined, { Authorization: "" });
    expect(anonymous.status).toBe(401);
    expect(anonymous.body.error.code).toBe(401);
    const signedIn = await owner(method === "DELETE" ? "PATCH" : method, pathOf(path));
    expect([200, 201, 400, 403, 404, 405]).toContain(signedIn.status);
  });

  test("has no headers of the API", async () => {
    const { headers } = await owner("GET", "/console/api/status");
    expect(headers.get("x-api-version")).toBeNull();
    expect(headers.get("cache-control")).toBe("no-store");
  });
});

describe("lists are compressed", () => {
  const read = async (path: string, encoding: string) => {
    const { send, url, key } = started;
    const headers = {
      Authorization: `API-Key ${key.key}`,
      "User-Agent": "test/1",
      "Accept-Encoding": encoding,
    };
    const { headers: sent } = await send(new Request(url + path, { headers }));
    return sent.get("content-encoding");
  };

  test("if they are long and the client accepts gzip, and nothing else is", async () => {
    for (let n = 0; n < 40; n++) await create(`A title that makes the list of titles long ${n}`, "x");
    expect(await read("/console/api/titles", "gzip, deflate, br")).toBe("gzip");
    expect(await read("/console/api/titles", "br;q=1, gzip;q=0.5")).toBe("gzip");
    for (const encoding of ["identity", "gzip;q=0", "br", "x-gzip"]) {
      expect(await read("/console/api/titles", encoding)).toBeNull();
    }
    expect(await read("/console/api/pins", "gzip")).toBeNull();
    expect(await read("/v1/documents?limit=40", "gzip")).toBeNull();
  });

  test("and say the same", async () => {
    const { send, url, key } = started;
    const headers = {
      Authorization: `API-Key ${key.key}`,
      "User-Agent": "test/1",
      "Accept-Encoding": "gzip",
    };
    const response = await send(new Request(`${url}/console/api/titles`, { headers }));
    const text = new TextDecoder().decode(Bun.gunzipSync(await response.arrayBuffer()));
    expect(JSON.parse(text)).toEqual((await owner("GET", "/console/api/titles")).body);
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
  });
});

describe("keys", () => {
  test("are created, listed and revoked by the local owner", async () => {
    const body = { name: "agent", scopes: ["documents.read"] };
    const created = await owner("POST", "/console/api/keys", body);
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      email: "owner@localhost",
      name: "agent",
      scopes: ["documents.read"],
    });
    const { id, key } = created.body.data;
    const use = () => started.client("GET", "/v1/user/me", undefined, { Authorization: `API-Key ${key}` });
    expect((await use()).body.data.permissions).toEqual(["documents.read"]);
    const listed = await owner("GET", "/console/api/keys");
    const row = listed.body.data.find((one: { id: string }) => one.id === id);
    expect(row).toMatchObject({ name: "agent", revokedAt: null, lastUsedAt: expect.any(Number) });
    expect(JSON.stringify(listed.body)).not.toContain(key);
    const rename = (name: string | null, of = id) =>
      owner("POST", "/console/api/keys/rename", { id: of, name });
    expect((await rename("night agent")).status).toBe(200);
    expect((await use()).body.data.permissions).toEqual(["documents.read"]);
    expect(JSON.stringify((await owner("GET", "/console/api/keys")).body)).toContain("night agent");
    expect((await rename(" ")).status).toBe(400);
    expect((await rename("x", "unknown")).status).toBe(404);
    expect((await rename(null)).status).toBe(200);
    expect((await owner("POST", "/console/api/keys/revoke", { id })).status).toBe(200);
    expect((await use()).status).toBe(401);
    expect((await owner("POST", "/console/api/keys/revoke", { id: "unknown" })).status).toBe(404);
  });

  test.each([
    ["no scopes", { scopes: [] }],
    ["an unknown scope", { scopes: ["admin"] }],
    ["a blank name", { name: " ", scopes: ["documents.read"] }],
  ])("with %s are rejected", async (_name, body) => {
    expect((await owner("POST", "/console/api/keys", body)).status).toBe(400);
  });

  test.each(["keys", "users"])(
    "%s cannot be seen with a key, even the owner's with all scopes",
    async (what) => {
      expect((await started.client("GET", `/console/api/${what}`)).status).toBe(403);
    },
  );

  test("cannot be created with a key, nor by another user who signed in on this machine", async () => {
    const body = { scopes: ["documents.read"] };
    expect((await started.client("POST", "/console/api/keys", body)).status).toBe(403);
    const { userId, email } = (await other("GET", "/v1/user/me")).body.data;
    const guest = await consoleClient(started, { ...started.owner, userId, email });
    expect((await guest("POST", "/console/api/keys", body)).status).toBe(403);
  });

  test("users are listed with their numbers of records", async () => {
    await other("POST", "/v1/documents", { title: "theirs", content: "x" });
    const { body } = await owner("GET", "/console/api/users");
    expect(body.data).toContainEqual(expect.objectContaining({ email: "other@example.org", records: 1 }));
  });
});

/** A client with a new key of the owner that has this name. */
async function clientOfKey(name: string): Promise<Client> {
  const scopes = ["documents.write", "prompts.write"];
  const { body } = await owner("POST", "/console/api/keys", { name, scopes });
  return createClient(started.url, body.data.key, started.send);
}

describe("records", () => {
  test("changes of documents and of prompts name the key that made them", async () => {
    const robot = await clientOfKey("robot");
    await robot("POST", "/v1/documents", { title: "By a robot", content: "one" });
    await robot("POST", "/v1/prompts", { title: "By a robot", description: "", content: "one" });
    const { body } = await owner("GET", "/console/api/changes?limit=2");
    expect(body.data).toMatchObject([
      { type: "prompt", agent: "key robot", actorName: "owner@localhost" },
      { type: "document", agent: "key robot", actorName: "owner@localhost" },
    ]);
  });

  test("changes list who did what, newest first, page by page, and only one's own", async () => {
    const id = await create("Changed", "one");
    await started.client("PATCH", `/v1/documents/${id}`, { content: "two", changeLog: "second" });
    const prompt = { title: "Prompt", description: "", content: "Say hello" };
    await started.client("POST", "/v1/prompts", prompt);
    const { body } = await owner("GET", "/console/api/changes?limit=2");
    expect(body.data).toMatchObject([
      { type: "prompt", title: "Prompt", version: 1, origin: "create" },
      {
        type: "document",
        title: "Changed",
        version: 1,
        origin: "update",
        actorKind: "apiKey",
        changeLog: "second",
      },
    ]);
    expect(body.data.map(({ agent }: { agent: string | null }) => agent)).toEqual([null, null]);
    const next = await owner("GET", `/console/api/changes?limit=1&cursor=${body.pagination.cursor}`);
    expect(next.body.data).toMatchObject([{ type: "document", recordId: id, version: 0, origin: "create" }]);
    const theirs = await other("GET", "/console/api/changes");
    expect(theirs.body.data.map(({ title }: { title: string }) => title)).not.toContain("Changed");
  });

  test("the tree of collections, and the collections of a record", async () => {
    const id = await create("Member", "x");
    const parent = (await started.client("POST", "/v1/collections", { name: "Parent" })).body.data.id;
    const child = (
      await started.client("POST", "/v1/collections", { name: "Child", parentCollectionId: parent })
    ).body.data.id;
    await started.client("POST", `/v1/collections/${child}/items`, { itemType: "document", itemIds: [id] });
    const tree = await owner("GET", "/console/api/collections");
    expect(tree.body.data).toMatchObject([
      { id: child, name: "Child", parentId: parent, itemCount: 1 },
      { id: parent, name: "Parent", parentId: null, itemCount: 0 },
    ]);
    const memberships = await owner("GET", `/console/api/records/${id}/collections`);
    expect(memberships.body.data).toEqual([{ id: child, name: "Child", icon: null }]);
    expect((await other("GET", "/console/api/collections")).body.data).toEqual([]);
    expect((await other("GET", `/console/api/records/${id}/collections`)).body.data).toEqual([]);
  });

  test("an image is fetched by the server, and never from a private network", async () => {
    const { status, body } = await owner("POST", "/console/api/image", { url: "https://example.org/a.png" });
    expect(status).toBe(200);
    expect(body.data).toEqual({ type: "image/png", base64: PNG.toString("base64") });
    for (const url of ["http://127.0.0.1/a.png", "http://[::1]/a.png", "https://example.org/missing.png"]) {
      expect((await owner("POST", "/console/api/image", { url })).status).toBe(400);
    }
  });

  test("HTML, PDF and Word files are read as Markdown", async () => {
    const read = (name: string, type: string, bytes: Uint8Array | string) =>
      owner("POST", "/console/api/file", { name, type, base64: Buffer.from(bytes).toString("base64") });
    const html = "<title>Kettle</title><h1>Kettle</h1><p>It <b>whistles</b>.</p><script>1</script>";
    const page = (await read("kettle.html", "html", html)).body.data;
    expect(page).toMatchObject({ title: "Kettle", metadata: {} });
    expect(page.markdown).toContain("It **whistles**.");
    for (const type of ["pdf", "docx"]) {
      const bytes = await Bun.file(`${import.meta.dir}/../../fixtures/office/kettle.${type}`).bytes();
      expect((await read(`kettle.${type}`, type, bytes)).body.data.markdown).toContain("kettle");
    }
    const broken = await read("x.pdf", "pdf", "not a PDF");
    expect(broken.status).toBe(422);
    expect(broken.body.error.message).not.toBe("");
    expect((await read("x.exe", "exe", "x")).status).toBe(400);
  });

  test("imported files are found by their paths", async () => {
    const metadata = { importPath: "notes/a.md", importHash: "sha256:1", importState: "s" };
    const body = { title: "a", content: "b", sourceType: "import", metadata };
    const { id } = (await started.client("POST", "/v1/documents", body)).body.data;
    const prompt = {
      title: "p",
      description: "",
      content: "c",
      metadata: { ...metadata, importPath: "p.md" },
    };
    const promptId = (await started.client("POST", "/v1/prompts", prompt)).body.data.id;
    const found = await owner("POST", "/console/api/imported", {
      paths: ["notes/a.md", "notes/b.md", "p.md"],
    });
    expect(found.body.data).toEqual([
      { id, type: "document", path: "notes/a.md", hash: "sha256:1", state: "s" },
      { id: promptId, type: "prompt", path: "p.md", hash: "sha256:1", state: "s" },
    ]);
    expect((await other("POST", "/console/api/imported", { paths: ["notes/a.md"] })).body.data).toEqual([]);
  });
});

describe("activity", () => {
  test("status reports sizes, numbers and the embedder", async () => {
    await create("Counted", "text");
    await started.settle();
    const { data } = (await owner("GET", "/console/api/status")).body;
    expect(data.jobs).toEqual({ queued: 0, running: 0, failed: 0 });
    expect(data.database.bytes).toBeGreaterThan(32 * 1024);
    expect(data.records.documents).toBeGreaterThan(0);
    expect(data.records.chunks).toBeGreaterThan(data.records.indexedDocuments);
    expect(data.embedder.state).toBe("ok");
  });

  test("failed jobs and fetches are listed with the reason, and jobs can be retried, by their owner only", async () => {
    const id = await create("Broken", "text");
    await started.settle();
    const { sql } = started.app.store;
    const insert = sql.query<{ id: number }, [string]>(
      `INSERT INTO jobs (kind, subject, state, attempts, run_at, error, created_at, updated_at)
       VALUES ('document.index', ?, 'failed', 5, 0, 'the model is missing', 0, 0) RETURNING id`,
    );
    const jobId = insert.get(id)!.id;
    const scraped = await started.client("POST", "/v1/documents/scrape", {
      url: "https://example.org/missing",
    });
    await started.settle();
    const { data } = (await owner("GET", "/console/api/jobs")).body;
    expect(data.jobs).toMatchObject([
      { id: jobId, title: "Broken", state: "failed", error: "the model is missing" },
    ]);
    expect(data.failedFetches).toMatchObject([
      { id: scraped.body.data.documentId, source: { lastRefreshError: { code: "HTTP_404" } } },
    ]);
    expect((await other("GET", "/console/api/jobs")).body.data).toEqual({ jobs: [], failedFetches: [] });
    expect((await other("POST", "/console/api/jobs/retry", { jobId })).status).toBe(404);
    expect((await owner("POST", "/console/api/jobs/retry", { jobId })).status).toBe(200);
    await started.settle();
    expect((await owner("GET", "/console/api/jobs")).body.data.jobs).toEqual([]);
    expect((await owner("POST", "/console/api/jobs/retry", { jobId })).status).toBe(404);
  });

  test("a retried job has all its attempts again, and is no longer about to be given up because of crashes", async () => {
    const id = await create("Crashed", "text");
    await started.settle();
    const { store } = started.app;
    // Read in the same transaction, before the job runs.
    const retried = store.write((write) => {
      const { id: jobId } = write.sql
        .query<{ id: number }, [string]>(
          `INSERT INTO jobs (kind, subject, state, attempts, crashes, run_at, error, created_at, updated_at)
           VALUES ('document.index', ?, 'failed', 4, 5, 0, 'the process ended', 0, 0) RETURNING id`,
        )
        .get(id)!;
      expect(retryJob(write, started.owner.userId, jobId)).toBe(true);
      return write.sql
        .query<object, [number]>("SELECT state, attempts, crashes FROM jobs WHERE id = ?")
        .get(jobId);
    });
    expect(retried).toEqual({ state: "queued", attempts: 0, crashes: 2 });
    await started.settle();
    expect((await owner("GET", "/console/api/jobs")).body.data.jobs).toEqual([]);
  });
});
