// Which texts are English: by script, by words, and by the detector in its worker.

import { afterAll, describe, expect, test } from "bun:test";
import { type LanguageDetector, openLanguageDetector } from "../../../src/engine/language/detector.ts";
import { plainLanguage } from "../../../src/engine/language/words.ts";

const detector: LanguageDetector = openLanguageDetector();
afterAll(() => detector.close());

describe("without the detector", () => {
  test.each([
    ["how do I reset the password of my account", "english"],
    ["What is the boundary layer?", "english"],
    ["Когда возвращают залог?", "other"],
    ["茶要泡多久", "other"],
    ["καλημέρα", "other"],
    ["Wasser", "unknown"],
    ["E1009", "unknown"],
    ["", "unknown"],
    ["42", "unknown"],
    ["sqlite checkpoint", "unknown"],
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

test("queries are English or not, and never fail", async () => {
  // Its first query does not wait until the worker has started.
  await detector.isOther(PROSE.de);
  expect(await detector.ofQuery("Wie lange ist die Kündigungsfrist der Wohnung?")).toBe("other");
  expect(await detector.ofQuery("horario de apertura del museo")).toBe("other");
  expect(await detector.ofQuery("laminar boundary layer transition hypersonic flow")).toBe("english");
  expect(await detector.ofQuery("\u{10ffff}\ud800")).toBe("unknown");
});

test.each([
  ["Wie lange ist die Kündigungsfrist der Wohnung?", "de"],
  ["¿Cuándo devuelven la fianza del piso?", "es"],
  ["Combien de temps dure le préavis du bail ?", "fr"],
  ["Когда возвращают залог?", "ru"],
  ["押金什么时候退还？", "zh"],
  ["敷金はいつ返ってきますか？", "ja"],
  ["When is the deposit returned?", "en"],
  ["E1009", undefined],
])("the language of %s is %p", async (query, code) => {
  expect(await detector.codeOf(query)).toBe(code);
});
