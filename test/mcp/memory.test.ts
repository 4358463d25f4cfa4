// What agents keep for later: dated lines, and what has changed since.

import { describe, expect, test } from "bun:test";
import { ManualClock } from "../../src/kernel/clock.ts";
import { mcpPoster } from "../helpers/mcp.ts";
import { useServer } from "../helpers/start.ts";

const clock = new ManualClock();
const started = useServer({ clock });
const { tool } = mcpPoster(started);
const today = () => new Date(clock.now()).toISOString().slice(0, 10);

const create = async (title: string, content: string): Promise<string> =>
  (await tool("create_document", { title, content })).data.documentId;
const contentOf = async (id: string) =>
  (await started.client("GET", `/v1/documents/${id}`)).body.data.content;

describe("append_to_document", () => {
  test.each([
    ["at the end", "# Log", undefined, "# Log\n\n- DAY: x\n"],
    ["in an empty document", "", undefined, "- DAY: x\n"],
    ["after the last item", "# Log\n\n- a\n", undefined, "# Log\n\n- a\n- DAY: x\n"],
    ["after a nested item", "- a\n  - b\n", undefined, "- a\n  - b\n- DAY: x\n"],
    ["under a heading", "# A\n\n- a\n\n## B\n\nb\n", "a", "# A\n\n- a\n- DAY: x\n\n## B\n\nb\n"],
    ["under one without text", "# A\n## B\n", "A", "# A\n\n- DAY: x\n\n## B\n"],
    ["under one with marks", "## **The** `Log`\n\nb", "## the log", "## **The** `Log`\n\nb\n\n- DAY: x\n"],
    ["under one that is missing", "# A\n\na\n", "B", "# A\n\na\n\n## B\n\n- DAY: x\n"],
    ["under one that is only in code", "```\n# B\n```\n", "B", "```\n# B\n```\n\n## B\n\n- DAY: x\n"],
    ["with the line ends of the text", "# A\r\n\r\na\r\n", "A", "# A\r\n\r\na\r\n\r\n- DAY: x\r\n"],
  ])("%s", async (_, content, heading, wanted) => {
    const documentId = await create("Log", content);
    const { isError, text } = await tool("append_to_document", { documentId, text: " x\n", heading });
    expect([isError, text]).toEqual([false, expect.stringContaining("it has revision 1")]);
    expect(await contentOf(documentId)).toBe(wanted.replace("DAY", today()));
  });

  test("takes nothing but spaces and line ends from the text, and reads no heading in a note", async () => {
    const content = "# Log\n\nfirst\u2028# no heading\u2028\n\n# B\n";
    const documentId = await create("Log", content);
    const note = "run this:\n# comment of the script\rrm x";
    await tool("append_to_document", { documentId, text: note, heading: "Log" });
    await tool("append_to_document", { documentId, text: "second", heading: "log" });
    const first = `- ${today()}: run this:\n  # comment of the script\n  rm x\n`;
    expect(await contentOf(documentId)).toBe(
      `# Log\n\nfirst\u2028# no heading\u2028\n\n${first}- ${today()}: second\n\n# B\n`,
    );
  });

  test("leaves out the mark and the date that an agent writes itself", async () => {
    const documentId = await create("Dated", "");
    await tool("append_to_document", { documentId, text: `- ${today()}: decided` });
    expect(await contentOf(documentId)).toBe(`- ${today()}: decided\n`);
  });

  test("takes time in proportion to the text", async () => {
    const documentId = await create("Long", `# a${" ".repeat(100_000)}x\n`);
    await tool("append_to_document", { documentId, text: "y", heading: "Log" });
    expect(await contentOf(documentId)).toEndWith(`## Log\n\n- ${today()}: y\n`);
  });

  test("adds one line for a frame that is sent twice", async () => {
    const documentId = await create("Once", "# Log\n");
    const frame = { headers: { "Idempotency-Key": "frame" }, id: 5 };
    const append = (text: string) => tool("append_to_document", { documentId, text }, frame);
    const first = await append("x");
    expect(await append("x")).toEqual(first);
    expect(await contentOf(documentId)).toBe(`# Log\n\n- ${today()}: x\n`);
    expect((await append("y")).isError).toBe(true);
  });

  test("keeps the lines of several agents", async () => {
    const documentId = await create("Shared", "# Shared\n");
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`);
    const added = await Promise.all(lines.map((text) => tool("append_to_document", { documentId, text })));
    expect(added.map(({ isError }) => isError)).toEqual(lines.map(() => false));
    const content = await contentOf(documentId);
    for (const line of lines) expect(content).toContain(`- ${today()}: ${line}\n`);
  });

  test("keeps further lines of a text in the item, and refuses a blank one", async () => {
    const documentId = await create("Log", "");
    await tool("append_to_document", { documentId, text: "first\nsecond" });
    expect(await contentOf(documentId)).toBe(`- ${today()}: first\n  second\n`);
    const blank = await tool("append_to_document", { documentId, text: " " });
    expect([blank.isError, blank.text]).toEqual([true, "text: must not be blank"]);
  });
});

describe("recent_changes", () => {
  test("since the last visit of this agent, which is a pause of half an hour ago", async () => {
    const visitor = { headers: { "User-Agent": "visitor/1" } };
    const [seen, later] = [await create("Seen", "x"), await create("Later", "x")];
    clock.advance(60_000);
    await tool("get_document", { documentId: seen }, visitor);
    clock.advance(2 * 3_600_000);
    await started.client("PATCH", `/v1/documents/${later}`, { content: "y" });
    clock.advance(60_000);
    await tool("get_document", { documentId: seen }, visitor);
    started.app.activityLog.flush();
    const { text } = await tool("recent_changes", { since: "last visit" }, visitor);
    expect(text).toContain("**Later**");
    expect(text).not.toContain("**Seen**");
    const unknown = { headers: { "User-Agent": "stranger/1" } };
    expect((await tool("recent_changes", { since: "last visit" }, unknown)).text).toContain("**Seen**");
  });

  test("are documents and prompts since a time, with who and why, the last first", async () => {
    clock.advance(30 * 24 * 3_600_000);
    const old = await create("Old", "text");
    clock.advance(2 * 24 * 3_600_000);
    await tool("create_prompt", { title: "Question", description: "d", content: "c" });
    clock.advance(60_000);
    await tool("update_document", { documentId: old, content: "new text", changeLog: "it was wrong" });
    const { text } = await tool("recent_changes", { since: "1d" });
    expect(text.split("\n")).toEqual([
      expect.stringMatching(
        /^- \*\*Old\*\* \(documentId: \w{27}, changed, .*by owner@localhost, "it was wrong"\)$/,
      ),
      expect.stringMatching(/^- \*\*Question\*\* \(promptId: \w{27}, new, /),
      "",
      expect.stringMatching(/^2 changes since .* no more\.$/),
    ]);
    const since = new Date(clock.now() - 30_000).toISOString();
    expect((await tool("recent_changes", { since })).text).toContain("1 change since");
    clock.advance(60_001);
    expect((await tool("recent_changes", { since: "30m", limit: 1 })).text).toContain(
      "There are earlier changes",
    );
    expect((await tool("recent_changes", { since: "1m" })).text).toStartWith("Nothing has changed since");
    const wrong = await tool("recent_changes", { since: "lately" });
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('since: got "lately"')]);
  });

  test("are only the caller's, and only what the credential may read", async () => {
    const other = started.clientOf("other@example.org");
    await other("POST", "/v1/documents", { title: "Secret", content: "x" });
    expect((await tool("recent_changes")).text).not.toContain("Secret");
  });
});
