// ctxrepo import, repeated: the same path is the same record, edits on both sides are conflicts, --prune deletes.

import { describe, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { stateOf } from "../../../src/importing/record.ts";
import { sha256Hex } from "../../../src/kernel/hash.ts";
import { useVault } from "../../helpers/vault.ts";

const vault = useVault();

describe("the same path is the same record", () => {
  test("a second run changes nothing, a changed file is a new revision, and only that", async () => {
    vault.write("a.md", "# A\n\none");
    vault.write("b.md", "b");
    const first = await vault.import();
    expect((await vault.import()).status).toEqual({ "a.md": "unchanged", "b.md": "unchanged" });
    vault.write("a.md", "# A\n\ntwo");
    const { status, outcomes } = await vault.import();
    expect(status).toEqual({ "a.md": "updated", "b.md": "unchanged" });
    const id = first.outcomes.find(({ path }) => path.endsWith("a.md"))?.id;
    expect(outcomes.find(({ path }) => path.endsWith("a.md"))?.id).toBe(id);
    expect(await vault.document(id)).toMatchObject({ content: "# A\n\ntwo", revision: 1 });
    expect(await vault.listed()).toHaveLength(2);
  });

  test("an edit in the store is a conflict when the file changes too, until --force", async () => {
    vault.write("a.md", "one");
    const id = (await vault.import()).outcomes[0]?.id;
    await vault.client("PATCH", `/v1/documents/${id}`, { content: "edited" });
    expect((await vault.import()).status).toEqual({ "a.md": "unchanged" });
    vault.write("a.md", "two");
    const { code, status, stderr } = await vault.import();
    expect([code, status]).toEqual([1, { "a.md": "conflict" }]);
    expect(stderr).toContain("ctxrepo: 1 conflict (--force overwrites edits made in the store)\n");
    expect((await vault.document(id)).content).toBe("edited");
    const forced = await vault.import("--force");
    expect([forced.code, forced.status]).toEqual([0, { "a.md": "updated" }]);
    expect((await vault.document(id)).content).toBe("two");
  });

  test.each([
    ["title", { title: "renamed" }],
    ["tags", { tags: ["mine"] }],
    ["metadata", { metadata: { mine: true } }],
  ])("an edit of the %s in the store is a conflict, too", async (_name, change) => {
    vault.write("a.md", "one");
    const id = (await vault.import()).outcomes[0]?.id;
    const { metadata } = await vault.document(id);
    const merged = "metadata" in change ? { metadata: { ...metadata, ...change.metadata } } : change;
    await vault.client("PATCH", `/v1/documents/${id}`, merged);
    vault.write("a.md", "two");
    expect((await vault.import()).status).toEqual({ "a.md": "conflict" });
  });

  test("a record that was made by earlier rules gets today's title, unless it was edited", async () => {
    vault.write("Cards view.md", "## Settings\n\ntext");
    vault.write("Edited.md", "## Settings\n\ntext");
    const [cards, edited] = (await vault.import()).outcomes;
    // What version 0.2.0 stored: the first heading of any level as title, and the digest of that record.
    for (const outcome of [cards, edited]) {
      const { metadata, ...fields } = await vault.document(outcome?.id);
      const importState = await stateOf({ ...fields, title: "Settings", metadata }, sha256Hex);
      const { importRules: _, ...others } = metadata;
      const earlier = { title: "Settings", metadata: { ...others, importState } };
      await vault.client("PATCH", `/v1/documents/${outcome?.id}`, earlier);
    }
    await vault.client("PATCH", `/v1/documents/${edited?.id}`, { title: "Mine" });
    const { code, status } = await vault.import();
    expect([code, status]).toEqual([0, { "Cards view.md": "updated", "Edited.md": "unchanged" }]);
    expect((await vault.document(cards?.id)).title).toBe("Cards view");
    expect((await vault.document(edited?.id)).title).toBe("Mine");
    expect((await vault.import()).status).toEqual({ "Cards view.md": "unchanged", "Edited.md": "unchanged" });
  });

  test("the same edit on both sides is no conflict", async () => {
    vault.write("a.md", "one");
    const id = (await vault.import()).outcomes[0]?.id;
    await vault.client("PATCH", `/v1/documents/${id}`, { content: "two" });
    vault.write("a.md", "two");
    const { code, status } = await vault.import();
    expect([code, status]).toEqual([0, { "a.md": "unchanged" }]);
  });

  test("a record that was deleted in the store is created again when its file changes", async () => {
    vault.write("a.md", "one");
    const id = (await vault.import()).outcomes[0]?.id;
    await vault.client("DELETE", `/v1/documents/${id}`);
    expect((await vault.import()).status).toEqual({ "a.md": "created" });
  });
});

describe("--prune", () => {
  test("deletes the records of files that are gone, and nothing else", async () => {
    await vault.client("POST", "/v1/documents", { title: "written by hand", content: "x" });
    vault.write("a.md", "a");
    vault.write("sub/b.md", "b");
    vault.write("c.md", "c");
    await vault.import();
    rmSync(vault.path("c.md"));
    rmSync(vault.path("sub"), { recursive: true });
    expect((await vault.import()).status).toEqual({ "a.md": "unchanged" });
    expect(await vault.listed()).toHaveLength(4);
    const dry = await vault.import("--prune", "--dry-run");
    expect(dry.status).toEqual({ "a.md": "unchanged", "c.md": "pruned", "sub/b.md": "pruned" });
    expect(await vault.listed()).toHaveLength(4);
    const { code, status } = await vault.import("--prune");
    expect([code, status]).toEqual([0, dry.status]);
    expect((await vault.listed()).map(({ title }: { title: string }) => title).sort()).toEqual([
      "a",
      "written by hand",
    ]);
  });

  test("a folder that is missing is a failure and no reason to delete; an edited record is kept", async () => {
    vault.write("a.md", "a");
    const id = (await vault.import()).outcomes[0]?.id;
    renameSync(vault.folder, `${vault.folder}-away`);
    const missing = await vault.import("--prune");
    expect([missing.code, missing.outcomes.map(({ status }) => status)]).toEqual([1, ["failed"]]);
    expect(await vault.listed()).toHaveLength(1);
    renameSync(`${vault.folder}-away`, vault.folder);
    await vault.client("PATCH", `/v1/documents/${id}`, { content: "edited" });
    rmSync(vault.path("a.md"));
    expect((await vault.import("--prune")).status).toEqual({ "a.md": "conflict" });
    expect((await vault.import("--prune", "--force")).status).toEqual({ "a.md": "pruned" });
  });
});

test("an emptied folder keeps its records without --prune-emptied: its disk may not be mounted", async () => {
  for (let i = 0; i < 10; i++) vault.write(`sub/${i}.md`, String(i));
  await vault.import();
  rmSync(vault.path("sub"), { recursive: true });
  const doubted = await vault.import("--prune");
  expect([doubted.code, doubted.outcomes]).toEqual([
    1,
    [{ path: vault.folder, status: "failed", reason: expect.stringContaining("--prune-emptied") }],
  ]);
  expect(await vault.listed()).toHaveLength(10);
  const { code, outcomes } = await vault.import("--prune-emptied");
  expect([code, outcomes.map(({ status }) => status)]).toEqual([0, Array(10).fill("pruned")]);
  expect(await vault.listed()).toEqual([]);
});

describe("a file that describes another kind of record", () => {
  test("is one record of the new kind; the old one stays without a file, a document in the archive", async () => {
    vault.write("a.md", "text");
    const document = (await vault.import()).outcomes[0]?.id;
    vault.write("a.md", "---\ntype: prompt\n---\ntext");
    const becomes = await vault.import();
    expect(becomes.outcomes).toMatchObject([
      { status: "created", reason: `the document ${document} that the file was before is in the archive` },
    ]);
    const stored = await vault.document(document);
    expect([stored.status, stored.content, stored.metadata]).toEqual(["archived", "text", {}]);
    expect((await vault.import()).status).toEqual({ "a.md": "unchanged" });
    vault.write("a.md", "---\ntype: prompt\n---\nother");
    expect((await vault.import()).status).toEqual({ "a.md": "updated" });
    expect((await vault.listed("prompts")).map(({ id }: { id: string }) => id)).toEqual([
      becomes.outcomes[0]?.id,
    ]);
    rmSync(vault.path("a.md"));
    expect((await vault.import("--prune")).outcomes.map(({ status }) => status)).toEqual(["pruned"]);
    expect(await vault.listed("prompts")).toEqual([]);
  });

  test("is a conflict if the record was edited in the store, until --force", async () => {
    vault.write("a.md", "---\ntype: prompt\n---\ntext");
    const prompt = (await vault.import()).outcomes[0]?.id;
    await vault.client("PATCH", `/v1/prompts/${prompt}`, { content: "edited" });
    vault.write("a.md", "text");
    expect((await vault.import()).status).toEqual({ "a.md": "conflict" });
    expect(await vault.listed()).toEqual([]);
    expect((await vault.import("--force")).status).toEqual({ "a.md": "created" });
    const { content, metadata } = (await vault.client("GET", `/v1/prompts/${prompt}`)).body.data;
    expect([content, metadata]).toEqual(["edited", {}]);
  });
});
