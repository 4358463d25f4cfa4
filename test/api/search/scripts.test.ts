// Search by meaning in scripts that the shipped model does not support, in stores of one or two documents.

import { describe, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

interface Hit {
  title: string;
  score: number;
  highlight: string;
  explain: Record<string, number>;
}

const started = useServer({ realModel: true });

let users = 0;

/** Stores documents and prompts for a new user, and searches as that user. */
async function storing(
  documents: Record<string, string>,
  prompts: Record<string, string>,
  use: (
    search: (q: string, parameters?: string) => Promise<{ documents: Hit[]; prompts: Hit[] }>,
  ) => Promise<void>,
): Promise<void> {
  const client = started.clientOf(`user-${users++}@example.org`);
  for (const [title, content] of Object.entries(documents)) {
    expect((await client("POST", "/v1/documents", { title, content })).status).toBe(201);
  }
  for (const [title, content] of Object.entries(prompts)) {
    expect((await client("POST", "/v1/prompts", { title, description: title, content })).status).toBe(201);
  }
  await started.settle();
  await use(async (q, parameters = "") => {
    const { status, body } = await client(
      "GET",
      `/v1/search?q=${encodeURIComponent(q)}&explain=true${parameters}`,
    );
    expect(status).toBe(200);
    return body.data;
  });
}

const ALARM = { 烟雾报警器: "更换烟雾报警器的电池时,先按下测试按钮。\n\n外壳每年用软布擦拭一次。" };
const SOUP = { 味噌汁: "味噌汁は、だしに豆腐とわかめを入れて作ります。味噌は火を止めてから溶かします。" };
const KIMCHI = { 김치: "김치는 소금에 절인 배추를 양념과 함께 이틀 동안 숙성시킵니다." };
const BORSCH = {
  Борщ: "# Борщ\n\nНарежьте капусту и свёклу.\n\nВарите час на слабом огне.\n\nПодавайте борщ со сметаной.",
};
const GENESIS = { "Pointed text": "בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם" };
const HUMMUS = { Recipe: "يُسلق الحِمَّص ساعةً ثم يُهرس" };

describe("one document is enough", () => {
  test.each<[string, Record<string, string>, string]>([
    ["电池", ALARM, "电池"],
    ["烟雾报警器", ALARM, "报警器"],
    ["如何更换电池?", ALARM, "电池"],
    ["豆腐", SOUP, "豆腐"],
    ["味噌汁はどうやって作りますか。", SOUP, "豆腐"],
    ["김치는 얼마나 숙성시키나요?", KIMCHI, "숙성"],
    ["борщ", BORSCH, "Нарежьте"],
    ["капусту", BORSCH, "капусту"],
    ["אלהים", GENESIS, "אֱלֹהִים"],
    ["בראשית ברא אלהים", GENESIS, "בָּרָא"],
    ["الحمص", HUMMUS, "الحِمَّص"],
  ])("%s", async (q, documents, highlight) => {
    await storing(documents, {}, async (search) => {
      const [hit] = (await search(q)).documents;
      expect(hit?.highlight).toContain(highlight);
      expect(hit!.score).toBeLessThanOrEqual(1);
    });
  });
});

test("parts of scores are between 0 and 1 for every query", async () => {
  await storing({ ...ALARM, ...SOUP, ...BORSCH, Kitchen: "The kettle whistles." }, {}, async (search) => {
    for (const q of [
      "电池",
      "味噌汁 kettle",
      "a ⅣⅤⅥⅦⅧⅨⅩ",
      "x ⅠⅡⅢⅣⅤ",
      "борщ",
      "。",
      "٣ kettle",
      "kettle 🚀",
    ]) {
      for (const { score, explain } of (await search(q, "&scoreThreshold=0&limit=50")).documents) {
        const { dense, lexical, neighbours, denseWeight } = explain;
        for (const part of [score, dense!, lexical!, neighbours!]) {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(1);
        }
        expect(denseWeight).toBeLessThanOrEqual(0.6);
      }
    }
  });
});

test("a query that the model cannot read finds only exact words", async () => {
  const documents = {
    ซักผ้า: "เครื่องซักผ้าต้องทำความสะอาดทุกเดือน",
    שפה: "העברית היא שפה שמית",
    Rockets: "The launch went well 🚀 and everybody cheered.",
  };
  await storing(documents, {}, async (search) => {
    const titles = async (q: string) => (await search(q)).documents.map(({ title }) => title);
    expect(await titles("🎈")).toEqual([]);
    expect(await titles("🚀")).toEqual(["Rockets"]);
    expect(await titles("。")).toEqual([]);
    expect(await titles("\u0301")).toEqual([]);
    expect(await titles("zzzz qqqq xxxx")).toEqual([]);
    expect(await titles("Siobhán")).toEqual([]);
    expect(await titles("量子力学")).toEqual([]);
  });
});

test("prompts are found by words in unsupported scripts too", async () => {
  const prompts = {
    更换电池: "说明如何更换烟雾报警器的电池。",
    翻译: "把下面的文字翻译成英文。",
    เขียนจดหมาย: "เขียนจดหมายธุรกิจ",
    "Деловое письмо": "Напиши деловое письмо клиенту.",
    Letter: "Write a polite business letter.",
  };
  await storing({}, prompts, async (search) => {
    const titles = async (q: string) => (await search(q)).prompts.map(({ title }) => title);
    expect(await titles("电池")).toEqual(["更换电池"]);
    expect(await titles("деловое письмо")).toEqual(["Деловое письмо"]);
    expect(await titles("量子力学")).toEqual([]);
    expect(await titles("футбольный матч")).toEqual([]);
    expect((await titles("a letter to a customer"))[0]).toBe("Letter");
  });
});

test("contractions do not count as words", async () => {
  await storing({ Handbook: "It doesn't matter when you come, and it isn't far." }, {}, async (search) => {
    expect((await search("Why doesn't my gearbox have any oil?")).documents).toEqual([]);
    expect((await search("Why isn’t my gearbox oiled?")).documents).toEqual([]);
  });
});

test("literal search folds the Greek final sigma", async () => {
  await storing({ Γιορτές: "Το ΠΑΣΧΑ και ο ΛΟΓΟΣ" }, {}, async (search) => {
    for (const q of ["ΠΑΣ", "πας", "λογος", "λόγοσ".normalize("NFD").replace(/\p{M}/gu, "")]) {
      expect((await search(q, "&semantic=false")).documents.length).toBe(1);
    }
  });
});
