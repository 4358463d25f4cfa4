// Answers where the question or the documents are not in English, with both shipped models: a fact is quoted as it is
// written, what no document says is a gap, and the answer is short.

import { beforeAll, describe, expect, test } from "bun:test";
import { multilingualDirectory } from "../../../src/base/models.ts";
import { openEmbedder } from "../../../src/engine/embedding/embedder.ts";
import { useServer } from "../../helpers/start.ts";

const { client, settle } = useServer({
  realModel: true,
  settings: { languages: "all" },
  secondEmbedder: openEmbedder({ modelDirectory: multilingualDirectory(), runtime: { kind: "native" } }),
});

/** Notes of a garden in each language: the compost, the tools and the well. */
const NOTES: Record<string, readonly [compost: string, tools: string, well: string]> = {
  en: [
    "Eggshells, leaves and coffee grounds go on the compost. It is turned every six weeks.",
    "Rakes and spades hang in the wooden shed. The key is under the blue flowerpot.",
    "The pump of the well was replaced in April 2024. It gives forty litres a minute.",
  ],
  de: [
    "Eierschalen, Laub und Kaffeesatz kommen auf den Kompost. Er wird alle sechs Wochen umgesetzt.",
    "Rechen und Spaten hängen im Holzschuppen. Der Schlüssel liegt unter dem blauen Blumentopf.",
    "Die Pumpe des Brunnens wurde im April 2024 ersetzt. Sie fördert vierzig Liter in der Minute.",
  ],
  es: [
    "Las cáscaras de huevo, las hojas y los posos de café van al compost. Se remueve cada seis semanas.",
    "Los rastrillos y las palas cuelgan en el cobertizo de madera. La llave está bajo la maceta azul.",
    "La bomba del pozo se cambió en abril de 2024. Da cuarenta litros por minuto.",
  ],
  fr: [
    "Les coquilles d'œufs, les feuilles et le marc de café vont au compost. On le retourne toutes les six semaines.",
    "Les râteaux et les bêches sont accrochés dans la cabane en bois. La clé est sous le pot de fleurs bleu.",
    "La pompe du puits a été remplacée en avril 2024. Elle donne quarante litres par minute.",
  ],
  ru: [
    "Яичную скорлупу, листья и кофейную гущу кладут в компост. Его перелопачивают каждые шесть недель.",
    "Грабли и лопаты висят в деревянном сарае. Ключ лежит под синим цветочным горшком.",
    "Насос колодца заменили в апреле 2024 года. Он подаёт сорок литров в минуту.",
  ],
  zh: [
    "蛋壳、树叶和咖啡渣放进堆肥。堆肥每六个星期翻一次。",
    "耙子和铁锹挂在木棚里。钥匙在蓝色花盆下面。",
    "水井的水泵在2024年4月更换。每分钟出水四十升。",
  ],
  ar: [
    "توضع قشور البيض والأوراق وبقايا القهوة في السماد. يقلب السماد كل ستة أسابيع.",
    "المجارف والأمشاط معلقة في الكوخ الخشبي. المفتاح تحت أصيص الزهور الأزرق.",
    "استبدلت مضخة البئر في أبريل 2024. تضخ أربعين لترا في الدقيقة.",
  ],
  tr: [
    "Yumurta kabukları, yapraklar ve kahve telvesi komposta atılır. Kompost altı haftada bir karıştırılır.",
    "Tırmıklar ve kürekler ahşap kulübede asılıdır. Anahtar mavi saksının altındadır.",
    "Kuyunun pompası Nisan 2024'te değiştirildi. Dakikada kırk litre su verir.",
  ],
};

beforeAll(async () => {
  for (const [language, notes] of Object.entries(NOTES))
    for (const [i, content] of notes.entries())
      await client("POST", "/v1/documents", { title: `Note ${i + 1}`, content, tags: [language] });
  await settle();
});

const ask = async (query: string, about: string) =>
  (await client("POST", "/v1/reason", { query, tags: [about] })).body.data;
const words = (answer: string) => answer.replace(/\[\[[^\]]*\]\]/g, "").split(/\s+/).length;

describe("in one language", () => {
  test.each([
    ["de", "Wie oft wird der Kompost umgesetzt?", "alle sechs Wochen"],
    ["es", "¿Dónde está la llave del cobertizo?", "bajo la maceta azul"],
    ["fr", "Quand la pompe du puits a-t-elle été remplacée ?", "avril 2024"],
    ["ru", "Где лежит ключ от сарая?", "под синим цветочным горшком"],
    ["zh", "木棚的钥匙在哪里？", "蓝色花盆下面"],
    ["ar", "متى استبدلت مضخة البئر؟", "أبريل 2024"],
    ["tr", "Kompost ne kadar sıklıkla karıştırılır?", "altı haftada bir"],
  ])("%s: %s", async (language, question, fact) => {
    const { answer, gaps, meta } = await ask(question, language);
    expect(answer).toContain(fact);
    expect(gaps).toEqual([]);
    expect(meta.language).toBe(language);
    expect(words(answer)).toBeLessThanOrEqual(110);
  });

  test.each([
    ["de", "Wer ist für das Schwimmbad zuständig?"],
    ["es", "¿Cuánto cuesta el billete de tren a Madrid?"],
    ["fr", "Qui a gagné le match de football ?"],
    ["ru", "Кто отвечает за плавательный бассейн?"],
    ["zh", "游泳池由谁负责？"],
    ["ar", "من المسؤول عن المسبح؟"],
    ["tr", "Yüzme havuzundan kim sorumlu?"],
  ])("%s, a gap: %s", async (language, question) => {
    const { answer, gaps } = await ask(question, language);
    expect(gaps).toHaveLength(1);
    expect(words(answer)).toBeLessThanOrEqual(110);
  });
});

describe("across languages, the quotation is the original", () => {
  test.each([
    ["Wo liegt der Schlüssel des Schuppens?", "en", "The key is under the blue flowerpot."],
    ["Когда заменили насос колодца?", "en", "The pump of the well was replaced in April 2024."],
    ["How often is the compost turned?", "de", "Er wird alle sechs Wochen umgesetzt."],
    ["Where is the key of the shed?", "zh", "钥匙在蓝色花盆下面。"],
  ])("%s (%s)", async (question, about, quotation) => {
    const { answer, gaps, citations } = await ask(question, about);
    expect(answer).toContain(quotation);
    expect(gaps).toEqual([]);
    expect(citations.length).toBeGreaterThan(0);
  });

  test("and what no document says is a gap", async () => {
    expect((await ask("Wer ist für das Schwimmbad zuständig?", "en")).gaps).toHaveLength(1);
    expect((await ask("Who won the football match?", "de")).gaps).toHaveLength(1);
  });
});

describe("in a store of several languages", () => {
  const CONTENTS = [
    "The bicycle workshop on Elm Street repairs brakes within two days. A new chain costs 25 euros with fitting.",
    "The boiler was serviced in October 2025. The technician, Mr Howe, replaced the pressure valve.",
    "The book club meets on the first Thursday of each month at the library café. In March we read a novel.",
    "Check-in for the holiday flat is from four in the afternoon. The key safe opens with a code.",
    "Die Miete beträgt 870 Euro im Monat und ist am dritten Werktag fällig. Die Kaution liegt auf einem Sparbuch.",
    "Die Waschmaschine zeigt E18, wenn das Flusensieb verstopft ist. Das Sieb ist hinter der Klappe unten rechts.",
    "| Actividad | Día | Precio |\n| --- | --- | --- |\n| Ajedrez | lunes | 30 € |\n| Robótica | jueves | 48 € |",
    "Para la tortilla hacen falta seis huevos, cuatro patatas y una cebolla. Se cuaja a fuego lento diez minutos.",
    "Поезд в Казань отправляется в 22:15 с третьего пути. Билет в купе стоит 3400 рублей.",
    "На даче посадили двенадцать кустов смородины. Воду отключают в конце октября.",
  ];
  beforeAll(async () => {
    for (const [i, content] of CONTENTS.entries())
      await client("POST", "/v1/documents", { title: `Page ${i + 1}`, content, tags: ["mixed"] });
    await settle();
  });

  test.each(["What is the WiFi password?", "When does the museum close?"])(
    "an English question about nothing that is stored is a gap: %s",
    async (question) => {
      expect((await ask(question, "mixed")).gaps).toHaveLength(1);
    },
  );

  test.each([
    ["Who serviced the boiler?", "Mr Howe"],
    ["When does the train to Kazan leave?", "22:15"],
    ["¿Cuánto cuesta la robótica?", "48 €"],
    ["Wie teuer ist die Miete?", "870 Euro"],
  ])("%s: %s", async (question, fact) => {
    const { answer, gaps } = await ask(question, "mixed");
    expect(answer).toContain(fact);
    expect(gaps).toEqual([]);
  });

  test("of a table, only the row that answers is quoted", async () => {
    const { answer } = await ask("¿Cuánto cuesta la robótica?", "mixed");
    expect(answer).toContain("Robótica");
    expect(answer).not.toContain("Ajedrez");
  });
});

test("of a long paragraph, the part that answers is quoted", async () => {
  const filler = Array.from(
    { length: 9 },
    (_, i) => `Im Beet ${i + 1} wachsen Karotten und Salat, die jeden Morgen vor acht Uhr gegossen werden.`,
  );
  const content = [
    ...filler,
    "Das Tor zur Straße wird um 21 Uhr abgeschlossen.",
    ...filler.toReversed(),
  ].join(" ");
  await client("POST", "/v1/documents", { title: "Regeln", content, tags: ["long"] });
  await settle();
  const { answer, gaps } = await ask("Wann wird das Tor zur Straße abgeschlossen?", "long");
  expect(gaps).toEqual([]);
  expect(answer).toContain("Das Tor zur Straße wird um 21 Uhr abgeschlossen.");
  expect(words(answer)).toBeLessThanOrEqual(110);
});

test("a second paragraph that is nearly as near is quoted too", async () => {
  const contents = [
    "Der Rasen wird im Sommer jeden Samstag gemäht.",
    "Im Frühling kommt Dünger auf den Rasen.",
    "Die Pumpe des Brunnens wurde im April 2024 ersetzt.",
  ];
  for (const content of contents)
    await client("POST", "/v1/documents", { title: "Notiz", content, tags: ["lawn"] });
  await settle();
  const { answer, gaps } = await ask("Wann wird der Rasen gemäht?", "lawn");
  expect(gaps).toEqual([]);
  expect(answer).toContain(contents[0]!);
  expect(answer).toContain(contents[1]!);
  expect(answer).not.toContain(contents[2]!);
});

test("the trace says how near the best chunk is, and how probably it answers", async () => {
  const { body } = await client("POST", "/v1/reason", {
    query: "Wie oft wird der Kompost umgesetzt?",
    tags: ["de"],
    explain: true,
  });
  expect(body.data.trace).toEqual([
    {
      step: "other languages",
      lines: [expect.stringMatching(/^part 1: cosine 0\.\d+, .* probability of [01]\.\d+$/)],
    },
  ]);
});
