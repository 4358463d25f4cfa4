// Words are found as people write them: in other notations, alphabets and word forms, in long paragraphs, and in what
// describes a document besides its text.

import { beforeAll, describe, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

const started = useServer();
const { client } = started;

const filler = (sentence: string, times: number) => sentence.repeat(times);
const NOISE = filler("Point by point we went through the list of the week and wrote down what is next. ", 16);

/** Documents by title. */
const DOCUMENTS: Record<string, Record<string, unknown>> = {
  "Humps A": { content: "Set `parseRetryCount` to five." },
  "Humps B": { content: "The parser counts the retries of the upload." },
  "Humps C": { content: "A list of parse errors." },
  Flag: { content: "Use `--keep-empty-rows` to keep them." },
  Ligatures: { content: "The ﬁnal eﬀect of the ﬂow was oﬃcially noted." },
  Wide: { content: "Part ＡＢＣ－１２３ costs １２３４ yen; ask for パーカー." },
  Formula: { content: "Write H₂O and x², never 10⁶ grams." },
  Greek: { content: "Το καράβι για το Ναύπλιο φεύγει στις εννέα." },
  Russian: { content: "Ёлка стоит в углу, а Ёжик принёс ключи от сарая." },
  French: { content: "Le fœtus et le cœlacanthe de Łódź, vus à Øresund." },
  Arabic: { content: "تفتح المكتبة في الساعة التاسعة، ويعمل إبراهيم هناك." },
  Hebrew: { content: "אנחנו נפגשים בספרייה ביום שלישי." },
  Chinese: { content: `${filler("本周我们讨论了预算安排以及下个月的活动计划。", 20)}陶艺工坊在三楼。` },
  Minutes: { content: `${NOISE}Kim will order the zirconium bolts. ${NOISE}` },
  Bolts: { content: "Bolt it down." },
  Numbers: { content: "The prize was 1,234,567 crowns. Hardware 00:1b:44:11:3a:b7." },
  Commit: { content: "Fixed in a1b2c3d4e5f60718 last week." },
  Unique: { content: "Order 123e4567-e89b-12d3-a456-426614174000 arrived." },
  British: { content: "We organised the colour samples in the centre." },
  Base: { content: "The database is copied at night." },
  Quotes: { content: "It’s King’s Cross – a state‑of‑the‑art station, with no break." },
  Escaped: { content: "Use Vec\\<T> and \\*star\\* there. Donau\u00addampf\u00adschiff zero\u200bwidth." },
  "Storage decision": { content: "DEC-0054: we keep blobs on local disk and mirror them nightly." },
  "Queue decision": { content: "DEC-0045: the queue is drained before each release." },
  Faults: {
    content: `# Fault codes\n\n| Code | Meaning |\n| --- | --- |\n${Array.from({ length: 12 }, (_, n) => `| HF-${101 + n} | Fault number ${n} of the printer, call the desk |`).join("\n")}\n| HF-204 | The lid is open |`,
  },
  Tickets: { content: "Ticket OPS-311 is about the slow login page." },
  Labelled: {
    content: "Nothing to see.",
    tags: ["Zephyrine", "Studio Notes"],
    metadata: {
      author: "Quillon Ebberts",
      importPath: "/home/a/vault/boats/nine.md",
      importRoot: "/home/a/vault",
    },
    sourceUrl: "https://blog.vexmoor.example/posts/42",
  },
};
const ids = new Map<string, string>();

beforeAll(async () => {
  for (const [title, fields] of Object.entries(DOCUMENTS)) {
    const { status, body } = await client("POST", "/v1/documents", { title, ...fields });
    expect(status).toBe(201);
    ids.set(title, body.data.id);
  }
  await started.settle();
});

const found = async (query: string, more = ""): Promise<{ title: string; highlight: string }[]> =>
  (await client("GET", `/v1/search?q=${encodeURIComponent(query)}${more}`)).body.data.documents;

describe("a search by meaning finds first", () => {
  test.each([
    ["parse retry count", "Humps A"],
    ["parse_retry_count", "Humps A"],
    ["retryCount", "Humps A"],
    ["keepEmptyRows", "Flag"],
    ["final effect", "Ligatures"],
    ["officially", "Ligatures"],
    ["ABC-123", "Wide"],
    ["1234 yen", "Wide"],
    ["ﾊﾟｰｶｰ", "Wide"],
    ["H2O", "Formula"],
    ["x2", "Formula"],
    ["ναυπλιο", "Greek"],
    ["ΝΑΥΠΛΙΟ", "Greek"],
    ["елка", "Russian"],
    ["ежик", "Russian"],
    ["ключ", "Russian"],
    ["foetus", "French"],
    ["coelacanthe", "French"],
    ["lodz", "French"],
    ["oresund", "French"],
    ["مكتبة", "Arabic"],
    ["ابراهيم", "Arabic"],
    ["ספרייה", "Hebrew"],
    ["陶艺工坊", "Chinese"],
    ["zirconium bolts", "Minutes"],
    ["zirconium", "Minutes"],
    ["1234567", "Numbers"],
    ["001b44113ab7", "Numbers"],
    ["a1b2c3d", "Commit"],
    ["123e4567e89b12d3a456426614174000", "Unique"],
    ["organized color center", "British"],
    ["data base", "Base"],
    ["stateoftheart", "Quotes"],
    ["DEC-0054", "Storage decision"],
    ["What does ticket DEC-0054 decide?", "Storage decision"],
    ["tell me about DEC-0054", "Storage decision"],
    ["how does DEC-0054 work", "Storage decision"],
    ["zephyrine", "Labelled"],
    ["Quillon Ebberts", "Labelled"],
    ["vexmoor", "Labelled"],
    ["https://blog.vexmoor.example/posts/42", "Labelled"],
    ["boats", "Labelled"],
  ])("%s: %s", async (query, title) => {
    expect((await found(query))[0]?.title).toBe(title);
  });
});

describe("a literal search finds", () => {
  test.each([
    ["final effect", "Ligatures"],
    ["It's King's Cross", "Quotes"],
    ["Cross - a state-of-the-art", "Quotes"],
    ["no break", "Quotes"],
    ["Vec<T>", "Escaped"],
    ["*star*", "Escaped"],
    ["Donaudampfschiff", "Escaped"],
    ["zerowidth", "Escaped"],
    ["ABC-123", "Wide"],
  ])("%s", async (query, title) => {
    const [first] = await found(query, "&semantic=false");
    expect(first?.title).toBe(title);
  });
});

test("a letter with very many marks is stored as it is, indexed, and searched for", async () => {
  const marked = `Zalgo${"\u0301".repeat(100_000)}${"\u0323".repeat(100_000)}`;
  const { body } = await client("POST", "/v1/documents", {
    title: "Marks",
    content: `# ${marked}\n\nquillwort`,
  });
  await started.settle();
  const [first] = await found(`"quillwort" ${marked.slice(0, 500)}`);
  expect(first?.title).toBe("Marks");
  expect((await client("GET", `/v1/documents/${body.data.id}`)).body.data.content).toContain(marked);
});

test("excerpts show the original text around the match", async () => {
  for (const semantic of [true, false]) {
    const [first] = await found("zirconium bolts", `&semantic=${semantic}`);
    expect(first!.highlight).toContain("Kim will order the zirconium bolts.");
  }
  for (const code of ["HF-204", "HF204", "hf_204"])
    expect((await found(code))[0]!.highlight).toContain("The lid is open");
  const [literal] = await found("final effect", "&semantic=false");
  expect(literal!.highlight).toContain("The ﬁnal eﬀect of");
});

test("a change of tags or metadata is found, and the old one is not", async () => {
  const id = ids.get("Labelled");
  expect((await client("PATCH", `/v1/documents/${id}`, { tags: ["Quombat"] })).status).toBe(200);
  await started.settle();
  expect((await found("quombat"))[0]?.title).toBe("Labelled");
  expect((await found("zephyrine")).map(({ title }) => title)).not.toContain("Labelled");
});

test("archived documents come last, and are marked", async () => {
  const notes = ["Old hut", "New hut"];
  const made = [];
  for (const title of notes)
    made.push(
      (await client("POST", "/v1/documents", { title, content: "The hut key hangs on the quibbet." })).body
        .data,
    );
  await client("PATCH", `/v1/documents/${made[0].id}`, { status: "archived" });
  await started.settle();
  for (const query of ["quibbet", "quibbet&semantic=false"]) {
    const { documents } = (await client("GET", `/v1/search?q=${query}`)).body.data;
    expect(documents.map(({ title, status }: { title: string; status?: string }) => [title, status])).toEqual(
      [
        ["New hut", undefined],
        ["Old hut", "archived"],
      ],
    );
  }
  const { results } = (await client("POST", "/v1/pd/search", { query: "quibbet" })).body.data;
  expect(results.map(({ status }: { status?: string }) => status)).toEqual([undefined, "archived"]);
});
