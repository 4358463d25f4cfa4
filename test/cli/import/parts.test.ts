// Files of several documents: mailboxes, exports of Evernote, archives of Notion, ChatGPT and Claude; and source code.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import JSZip from "jszip";
import { runProgram } from "../../helpers/program.ts";
import { makeTempDir } from "../../helpers/start.ts";

let root: string;
let folder: string;
beforeEach(() => {
  root = makeTempDir();
  folder = join(root, "in");
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const run = async (...args: string[]) => runProgram([...args, "--data-dir", join(root, "data")]);
/** `PATH STATUS` of each outcome. */
async function imported(...args: string[]) {
  const { code, stdout, stderr } = await run("import", folder, "--json", ...args);
  const outcomes = JSON.parse(stdout) as { path: string; status: string; reason?: string }[];
  return {
    code,
    stderr,
    outcomes: outcomes.map(({ path, status }) => `${path.slice(folder.length + 1)} ${status}`).sort(),
  };
}
const textOf = async (name: string) => (await run("get", name)).stdout;
const write = (name: string, body: string | Uint8Array) => writeFileSync(join(folder, name), body);
const zipOf = (files: Record<string, string | Uint8Array>) => {
  const zip = new JSZip();
  for (const [name, body] of Object.entries(files)) zip.file(name, body);
  return zip.generateAsync({ type: "uint8array" });
};

const conversation = (answer: string, id = "6630a1b2-1111-4222-8333-444455556666") => ({
  title: "Cranes",
  create_time: 1_714_000_000.5,
  conversation_id: id,
  current_node: "c",
  mapping: {
    a: { message: { author: { role: "user" }, content: { parts: ["How much?"] } }, parent: "c" },
    b: {
      message: { author: { role: "assistant" }, content: { parts: ["An earlier answer."] } },
      parent: "a",
    },
    c: { message: { author: { role: "assistant" }, content: { parts: [answer] } }, parent: "a" },
  },
});

test("each mail of a mailbox is a document with its attachments, each thread a collection", async () => {
  const mail = (id: string, subject: string, body: string, more = "") =>
    `From a@pier.test Mon May  4 11:30:00 2026\nFrom: A <a@pier.test>\nSubject: ${subject}\nMessage-ID: <${id}@pier.test>\n${more}\n${body}\n\n`;
  const attached = [
    "--b\nContent-Type: text/plain; charset=utf-8\n\nThe berth is free.\n>From May on, it costs more.",
    "--b\nContent-Type: text/csv\nContent-Disposition: attachment; filename=fees.csv\n\nBoat,Fee\nAnna,40",
    "--b\nContent-Type: application/zip\nContent-Disposition: attachment; filename=x.zip\n\nPK\n--b--",
  ];
  const type = "Content-Type: multipart/mixed; boundary=b\n";
  const first = mail("1", "=?utf-8?q?Berth_f=C3=BCr_Anna?=", attached.join("\n"), type);
  const answer = mail(
    "2",
    "Re: =?utf-8?q?Berth_f=C3=BCr_Anna?=",
    "Anna takes it.",
    "In-Reply-To: <1@pier.test>\n",
  );
  write("all.mbox", first + answer + mail("3", "Key", "It is in the shed."));
  const { code, outcomes } = await imported();
  expect([code, outcomes.map((one) => one.replace(/ [0-9a-f]{8}\.eml/, ""))]).toEqual([
    0,
    ["all.mbox/Berth für Anna created", "all.mbox/Key created", "all.mbox/Re Berth für Anna created"],
  ]);
  const { documents } = JSON.parse((await run("search", "--literal", "costs more", "--json")).stdout);
  const { content, metadata } = JSON.parse((await run("get", documents[0].id, "--json")).stdout);
  expect(content).toContain("From May on");
  expect(content).toEndWith("## fees.csv\n\n| Boat | Fee |\n| --- | --- |\n| Anna | 40  |");
  expect(metadata.importNotes).toEqual([{ kind: "attachment", count: 1 }]);
  const listed = JSON.parse(
    (await run("list", "documents", "--collection", "Berth für Anna", "--json")).stdout,
  );
  expect(listed.map(({ title }: { title: string }) => title).sort()).toEqual([
    "Berth für Anna",
    "Re: Berth für Anna",
  ]);
  // A mail more is one document more.
  write("all.mbox", first + answer + mail("3", "Key", "It is in the shed.") + mail("4", "Oars", "Two."));
  expect((await imported()).outcomes.map((one) => one.split(" ").at(-1)).sort()).toEqual([
    "created",
    "unchanged",
    "unchanged",
    "unchanged",
  ]);
});

test("archives of ChatGPT, Claude and Notion, a later export under another name, and parts that are gone", async () => {
  const claude = [
    {
      uuid: "aaaa1111-2222-4333-8444-555566667777",
      name: "Tides",
      chat_messages: [
        {
          sender: "human",
          text: "When?",
          attachments: [{ file_name: "t.txt", extracted_content: "Oban 12:10" }],
        },
        { sender: "assistant", content: [{ type: "text", text: "At ten past twelve." }] },
      ],
    },
  ];
  const id = "0123456789abcdef0123456789abcdef";
  const notion = await zipOf({
    [`Export-1/Harbour ${id}.md`]: "# Harbour\n\nThe quay is long.\n",
    [`Export-1/Harbour ${id}/Boats ${id}.csv`]: "Name\nAnna\n",
    [`Export-1/Harbour ${id}/Boats ${id}_all.csv`]: "Name,Length\nAnna,9\nBert,12\n",
    "Export-1/picture.png": "x",
  });
  write(
    "chat-1.zip",
    await zipOf({ "conversations.json": JSON.stringify([conversation("**Twelve** tonnes.")]) }),
  );
  write("claude.zip", await zipOf({ "conversations.json": JSON.stringify(claude), "users.json": "[]" }));
  write("notion.zip", await zipOf({ "Export-8f3c-Part-1.zip": notion }));
  write("software.zip", await zipOf({ "readme.md": "# Software" }));
  const { code, outcomes } = await imported();
  expect([code, outcomes]).toEqual([
    0,
    [
      "chat-1.zip/6630a1b2-1111-4222-8333-444455556666.md created",
      "claude.zip/aaaa1111-2222-4333-8444-555566667777.md created",
      "notion.zip/Export-1/Harbour.md created",
      "notion.zip/Export-1/Harbour/Boats.csv created",
      "notion.zip/Export-1/picture.png skipped",
      "software.zip skipped",
    ],
  ]);
  expect(await textOf("Cranes")).toBe("## You\n\nHow much?\n\n## ChatGPT\n\n**Twelve** tonnes.\n");
  expect(await textOf("Tides")).toBe(
    "## You\n\nWhen?\n\n**t.txt**\n\nOban 12:10\n\n## Claude\n\nAt ten past twelve.\n",
  );
  expect(await textOf("Boats")).toContain("| Bert | 12  |");
  renameSync(join(folder, "chat-1.zip"), join(folder, "chat-2.zip"));
  rmSync(join(folder, "claude.zip"));
  const again = await imported("--prune");
  expect(again.outcomes).toContain("chat-2.zip/6630a1b2-1111-4222-8333-444455556666.md updated");
  expect(again.outcomes).toContain("claude.zip/aaaa1111-2222-4333-8444-555566667777.md pruned");
  // An archive that cannot be read says nothing about its parts.
  write("chat-2.zip", "no archive");
  const damaged = await imported("--prune");
  expect([damaged.code, damaged.outcomes.filter((one) => one.startsWith("chat-2"))]).toEqual([
    1,
    ["chat-2.zip failed"],
  ]);
  expect(await textOf("Cranes")).toContain("tonnes");
});

test("notes of Evernote with their tags, boxes and files; source code only with --code", async () => {
  const content = `<![CDATA[<?xml version="1.0"?><en-note><div><en-todo checked="true"/>Drain</div><div>Cover</div><en-crypt>x</en-crypt><en-media type="image/png"/></en-note>]]>`;
  const file = (name: string, text: string) =>
    `<resource><data encoding="base64">${btoa(text)}</data><mime>image/png</mime><resource-attributes><file-name>${name}</file-name></resource-attributes></resource>`;
  write(
    "notes.enex",
    `<?xml version="1.0"?><en-export><note><title>Winter &amp; shed</title><created>20260401T101010Z</created><tag>boats</tag><content>${content}</content>${file("places.csv", "a,b\n1,2\n")}${file("p.png", "x")}</note></en-export>`,
  );
  write(
    "winch.py",
    "import os\n\n# Lowers the boat.\ndef down(turns=1):\n    return turns\n\n\nclass Winch:\n    pass\n",
  );
  const first = await imported();
  expect(first.stderr).toContain("skipped 1 .py: not a known kind");
  expect(first.outcomes.map((one) => one.replace(/ [0-9a-f]{8}\./, "."))).toEqual([
    "notes.enex/Winter shed.html created",
    "notes.enex/places.csv created",
    "winch.py skipped",
  ]);
  const note = JSON.parse((await run("get", "Winter & shed", "--json")).stdout);
  expect([note.content, note.tags, note.metadata.importNotes]).toEqual([
    "[x] Drain\n\nCover",
    ["boats"],
    [
      { kind: "encrypted", count: 1 },
      { kind: "image", count: 1 },
    ],
  ]);
  await imported("--code");
  expect(await textOf("winch")).toBe(
    [
      "## line 1\n\n```py\nimport os\n```",
      "## `def down(turns=1)`, lines 3–5\n\n```py\n# Lowers the boat.\ndef down(turns=1):\n    return turns\n```",
      "## `class Winch`, lines 8–9\n\n```py\nclass Winch:\n    pass\n```\n",
    ].join("\n\n"),
  );
  const { documents } = JSON.parse((await run("search", "lowers the boat", "--json")).stdout);
  expect(documents[0].source).toMatchObject({ path: "winch.py", heading: "def down(turns=1), lines 3–5" });
});

test("a file of several documents that is built to be huge, or is none, fails alone", async () => {
  const id = "0123456789abcdef0123456789abcdef";
  const zip = new JSZip();
  for (let index = 0; index < 30; index++) zip.file(`Page${index} ${id}.md`, "a".repeat(4_000_000));
  write("bomb.zip", await zip.generateAsync({ type: "uint8array", compression: "DEFLATE" }));
  write("wrong.mbox", "no mails\n");
  write("wrong.enex", "<note><title>x</title></note>");
  write("ok.md", "# Fine");
  const { code, stdout } = await run("import", folder, "--json");
  const outcomes = JSON.parse(stdout) as { path: string; status: string; reason?: string }[];
  expect([
    code,
    outcomes.map(({ path, status, reason }) => [path.slice(folder.length + 1), status, reason]).sort(),
  ]).toEqual([
    1,
    [
      ["bomb.zip", "failed", "the file unpacks to more than 96 MB"],
      ["ok.md", "created", undefined],
      ["wrong.enex", "failed", "the file is no export of Evernote"],
      ["wrong.mbox", "failed", "the file is no mailbox: it does not begin with `From `"],
    ],
  ]);
});
