// Which texts are English: by script, by words, and by the detector in its worker.

import { afterAll, describe, expect, test } from "bun:test";
import { type LanguageDetector, openLanguageDetector } from "../../../src/engine/language/detector.ts";
import { ENGLISH, OTHER, plainLanguage, UNKNOWN } from "../../../src/engine/language/words.ts";

const detector: LanguageDetector = openLanguageDetector();
afterAll(() => detector.close());

describe("without the detector", () => {
  test.each([
    ["how do I reset the password of my account", ENGLISH],
    ["What is the boundary layer?", ENGLISH],
    ["Когда возвращают залог?", OTHER],
    ["茶要泡多久", OTHER],
    ["καλημέρα", OTHER],
    ["Wasser", UNKNOWN],
    ["E1009", UNKNOWN],
    ["", UNKNOWN],
    ["42", UNKNOWN],
    ["sqlite checkpoint", UNKNOWN],
    ["sqlite write ahead log checkpoint", "undecided"],
    ["Wie lange ist die Kündigungsfrist der Wohnung", "undecided"],
  ] as const)("%s: %s", (text, language) => expect(plainLanguage(text)).toBe(language));
});

const PROSE = {
  en: "The tenant may end the lease with three months' notice. The deposit is returned within six weeks of the end.",
  de: "Der Mieter kann den Vertrag mit einer Frist von drei Monaten kündigen. Die Kaution wird danach zurückgezahlt.",
  es: "El inquilino puede rescindir el contrato con tres meses de preaviso. La fianza se devuelve en seis semanas.",
  fr: "Le locataire peut résilier le bail avec un préavis de trois mois. Le dépôt est rendu dans les six semaines.",
  tr: "Kiracı sözleşmeyi üç ay önceden haber vererek feshedebilir. Depozito altı hafta içinde geri ödenir.",
  vi: "Người thuê có thể chấm dứt hợp đồng với thông báo trước ba tháng. Tiền đặt cọc được trả lại sau sáu tuần.",
  ru: "Арендатор может расторгнуть договор, уведомив за три месяца. Залог возвращается в течение шести недель.",
  zh: "租客可以提前三个月通知终止租约。押金在租约结束后六周内退还。",
};
const CODE =
  "const rows = await db.query(`SELECT id, name FROM t WHERE id = ${id}`); if (rows[0]?.id !== id) return;\n";

describe("documents", () => {
  test.each(Object.entries(PROSE))("prose in %s", async (code, text) => {
    expect(await detector.isOther(text)).toBe(code !== "en");
    expect(await detector.isOther(text.normalize("NFD"))).toBe(code !== "en");
  });

  test("a section in another language counts, a quotation in a long text does not", async () => {
    const english = Array.from({ length: 40 }, () => PROSE.en).join("\n\n");
    const german = Array.from({ length: 12 }, () => PROSE.de).join("\n\n");
    expect(await detector.isOther(`${english}\n\n${german}`)).toBe(true);
    expect(await detector.isOther(`${english}\n\nShe said: "Guten Morgen, meine Damen und Herren."`)).toBe(
      false,
    );
  });

  test("a few words are not another language, except in another script", async () => {
    for (const text of ["Explain a noise", "Note 25", "sqlite checkpoint log"])
      expect(await detector.isOther(text)).toBe(false);
    expect(await detector.isOther("Когда возвращают залог?")).toBe(true);
  });

  test("code, numbers and lists of names are not another language", async () => {
    expect(await detector.isOther(CODE.repeat(50))).toBe(false);
    expect(await detector.isOther("2024-11-02; 17.5; 3,200\n".repeat(100))).toBe(false);
    expect(await detector.isOther("kubectl, sqlite, nginx, postgres\nGrafana, Prometheus")).toBe(false);
  });
});

test("a query that says nothing has no language", async () => {
  expect(await detector.ofQuery("\u{10ffff}\ud800")).toBe(UNKNOWN);
});

test.each([
  ["Wie lange ist die Kündigungsfrist der Wohnung?", "de"],
  ["horario de apertura del museo", "es"],
  ["Combien de temps dure le préavis du bail ?", "fr"],
  ["Когда возвращают залог?", "ru"],
  ["押金什么时候退还？", "zh"],
  ["敷金はいつ返ってきますか？", "ja"],
  ["游泳池由谁负责？", "zh"],
  ["When is the deposit returned?", "en"],
  ["laminar boundary layer transition hypersonic flow", "en"],
  ["E1009", UNKNOWN],
])("the language of %s is %s", async (query, language) => {
  // The first query does not wait until the worker has started.
  await detector.isOther(PROSE.de);
  expect(await detector.ofQuery(query)).toBe(language);
});

test("a passage that says nothing is in the language of most others of its document", async () => {
  const short = ["§ 4", CODE];
  expect(await detector.ofPassages([PROSE.de, PROSE.en, ...short, PROSE.de])).toEqual([
    ...["de", "en", "de", "de"],
    "de",
  ]);
  expect(await detector.ofPassages(short)).toEqual([UNKNOWN, UNKNOWN]);
  // A script says it, whatever else a text consists of.
  expect(await detector.ofPassages(["水泵：2024年4月更换，40升/分钟。"])).toEqual(["zh"]);
});
