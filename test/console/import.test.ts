// Importing in the browser gives the same records as `ctxrepo import`, which another user of the same server runs.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findFiles } from "../../src/cli/importing/find-files.ts";
import { readKnownRecords } from "../../src/cli/importing/known.ts";
import { openFileReader } from "../../src/cli/importing/read-file.ts";
import { runImport } from "../../src/cli/importing/run.ts";
import { sha256Hex } from "../../src/kernel/hash.ts";
import type { Requests } from "../../src/requests/reply.ts";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";
import { type Client, makeTempDir } from "../helpers/start.ts";

const FILES: Record<string, string> = {
  "front.md":
    "---\ntitle: From front matter\ntags: ['#one', two, 'a,b']\nauthor: Ada\nbig: 12345678901234567890\nexact: 9007199254740993\nsmall: 7\nratio: 1e400\n---\n# Heading\n\nText\n",
  "broken.md": "---\ntitle: [unclosed\n---\n# Broken\n",
  "no heading.md": "only text",
  "setext.markdown": "Under *line*\n===\n",
  "code.mdx": "```\n# not a heading\n```\n\n## Real `heading`\n",
  "bom.txt": "\ufeffplain\n# text",
  "long.md": `# ${"é".repeat(600)}\n`,
  "prompt.md":
    "---\ntype: prompt\ntitle: Ask\ndescription: d\nvariables: [x]\nparameters: {n: 18446744073709551616}\n---\nSay ${x}",
  "page.html": "<title>Page</title><p>Some <b>bold</b> text in a page, <a href='x.html'>linked</a>.</p>",
  "deep/er/note.md": "# Deep\n",
  "deep/.gitignore": "ignored.md\nbuild/\n!build/kept.md\n",
  "deep/ignored.md": "x",
  "deep/build/kept.md": "x",
  "node_modules/d.md": "x",
  ".hidden/e.md": "x",
  "image.png": "x",
};

describe.skipIf(!CHROMIUM)("importing in the browser", () => {
  const server = useConsole();
  const root = makeTempDir();
  const folder = join(root, "notes");
  const other = server.clientOf("other@example.org");
  let p: ConsolePage;

  beforeAll(async () => {
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    writeFileSync(join(folder, "latin1.md"), new Uint8Array([0x23, 0x20, 0xe9]));
    for (const name of ["kettle.pdf", "kettle.docx"]) {
      cpSync(join(import.meta.dir, "../fixtures/office", name), join(folder, name));
    }
    p = await server.signIn("/console/add?what=files");
  });
  afterAll(() => rmSync(root, { recursive: true }));

  /** What the program does with the same folder; the status of each file. */
  const importByCommand = async (path: string) => {
    const client = requestsOf(other);
    const reader = openFileReader();
    const known = await readKnownRecords(client);
    const statuses = new Map<string, string>();
    try {
      await runImport(
        {
          client,
          reader,
          digest: sha256Hex,
          known,
          tags: ["added"],
          moves: new Map(),
          options: { force: false, dryRun: false },
        },
        findFiles([path], { kinds: [], exclude: [] }),
        {
          signal: new AbortController().signal,
          report: (outcome) => statuses.set(outcome.path.slice(root.length + 1), outcome.status),
        },
      );
    } finally {
      await reader.close();
    }
    return statuses;
  };
  const importInBrowser = async (path: string, { force = false } = {}) => {
    await p.open("/console/add?what=files");
    await p.fill("Tags", "added");
    if (force) await p.press("Overwrite edits that were made here");
    const [, input] = await p.page.$$('input[type="file"]');
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(path);
    await p.page.waitForSelector('[aria-label="Import"][data-state="done"]');
    const rows = await p.page.$$eval(".jobs li", (items) =>
      items.map((item) => [...item.children].slice(0, 2).map((child) => child.textContent ?? "")),
    );
    return new Map(rows.map(([status = "", file = ""]) => [file, status]));
  };

  test("every file has the same status and becomes the same record", async () => {
    const byCommand = await importByCommand(folder);
    const inBrowser = await importInBrowser(folder);
    expect([...inBrowser].sort()).toEqual([...byCommand].sort());
    expect(inBrowser.get("notes/latin1.md")).toBe("failed");
    expect(inBrowser.get("notes/image.png")).toBe("skipped");
    const records = await allRecords(server.client);
    expect(records).toEqual(await allRecords(other));
    expect(records.map(({ title }) => title)).toContain("From front matter");
    const front = records.find(({ title }) => title === "From front matter")!;
    expect(front.metadata).toMatchObject({
      big: "12345678901234567890",
      exact: "9007199254740993",
      small: 7,
    });
  });

  test("files that have not changed are skipped, changed ones update their record, and edits here are not lost", async () => {
    const again = await importInBrowser(folder);
    const changed = ["failed", "skipped", "unchanged"];
    expect([...again.values()].filter((status) => !changed.includes(status))).toEqual([]);
    writeFileSync(join(folder, "no heading.md"), "changed text");
    writeFileSync(join(folder, "setext.markdown"), "Other\n===\n");
    const [edited] = (await server.client("GET", "/v1/documents?search=Under+line")).body.data;
    await server.client("PATCH", `/v1/documents/${edited.id}`, { content: "edited here" });
    const third = await importInBrowser(folder);
    expect(third.get("notes/no heading.md")).toBe("updated");
    expect(third.get("notes/setext.markdown")).toBe("conflict");
    const stored = async () => (await server.client("GET", `/v1/documents/${edited.id}`)).body.data.content;
    expect(await stored()).toBe("edited here");
    const forced = await importInBrowser(folder, { force: true });
    expect(forced.get("notes/setext.markdown")).toBe("updated");
    expect(await stored()).toBe("Other\n===\n");
  });

  test("files that are dropped on a collection are imported into it, and the import goes on in other views", async () => {
    const dropped = join(root, "dropped");
    mkdirSync(dropped);
    for (let i = 0; i < 60; i++) writeFileSync(join(dropped, `${i}.md`), `# Dropped ${i}\n`);
    const shelf = await server.create("/v1/collections", { name: "Dropped here" });
    await p.open(`/console/collections/${shelf}`);
    const mouse = await p.page.createCDPSession();
    for (const type of ["dragEnter", "dragOver", "drop"] as const) {
      const data = { items: [], files: [dropped], dragOperationsMask: 1 };
      await mouse.send("Input.dispatchDragEvent", { type, x: 600, y: 500, data });
    }
    await p.sees("Importing", "body > nav");
    await p.page.evaluate(`document.querySelector('nav a[href="/console/prompts"]').click()`);
    await p.sees("Prompts", "h1");
    await p.page.waitForFunction('!document.querySelector("body > nav").textContent.includes("Importing")');
    await p.page.evaluate(`document.querySelector('nav a[href="/console/add"]').click()`);
    await p.press("Import files");
    await p.sees("60 of 60 files", '[aria-label="Import"][data-state="done"]');
    const { body } = await server.client("GET", `/v1/collections/${shelf}/items?limit=100`);
    expect(body.data.length).toBe(60);
  });

  test("no error and no request to another server", () => {
    expect(p.errors.filter((error) => !/status of 422/.test(error))).toEqual([]);
    expect(p.foreign).toEqual([]);
  });

  /** All records of a user, without what differs between two users. */
  async function allRecords(client: Client) {
    const records: Record<string, unknown>[] = [];
    for (const kind of ["documents", "prompts"]) {
      const { data } = (await client("GET", `/v1/${kind}?limit=100`)).body;
      for (const { id } of data) {
        const record = (await client("GET", `/v1/${kind}/${id}`)).body.data;
        const { title, content, contentHtml, rawHtml, tags, description, variables, parameters, sourceType } =
          record;
        const { importPath, importRoot, ...metadata } = record.metadata;
        const file = String(importPath).replace(/^.*?(?=notes\/)/, "");
        records.push({
          ...{ file, title, content, contentHtml, rawHtml, tags, metadata, sourceType },
          ...{ description, variables, parameters },
        });
      }
    }
    return records.sort((a, b) => (String(a.file) < String(b.file) ? -1 : 1));
  }
});

/** The client of a test as commands use it. */
function requestsOf(client: Client): Requests {
  return {
    async request(method, path, { body, headers, query = {} } = {}) {
      const given = Object.entries(query).filter(([, value]) => value !== undefined);
      const parameters = new URLSearchParams(
        given.map(([name, value]): [string, string] => [name, String(value)]),
      );
      return client(method, `${path}?${parameters}`, body, headers);
    },
  };
}
