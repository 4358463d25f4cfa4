// The sentences around quotations are in the language of the question; quotations stay as they are written.

import { beforeAll, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

const { client, settle } = useServer({ realModel: true });

beforeAll(async () => {
  await client("POST", "/v1/documents", {
    title: "Lease",
    content: "The deposit is returned within six weeks after the end of the lease.",
  });
  await settle();
  // The detector starts with the first question that needs it, and an answer waits for it at most a second.
  while ((await ask("Wer hat die Decke der Kapelle bemalt?")).answer.startsWith("The")) await Bun.sleep(100);
});

const ask = async (query: string) => (await client("POST", "/v1/reason", { query })).body.data;

test("the language is in meta, for clients that show the blocks themselves", async () => {
  expect((await ask("Wer hat die Decke der Kapelle bemalt?")).meta.language).toBe("de");
  expect((await ask("E1009")).meta).not.toContainKey("language");
});

test.each([
  ["Who painted the ceiling of the chapel?", "The documents do not answer this question."],
  ["Wer hat die Decke der Kapelle bemalt?", "Die Dokumente beantworten diese Frage nicht."],
  ["¿Quién pintó el techo de la capilla?", "Los documentos no responden a esta pregunta."],
  ["Qui a peint le plafond de la chapelle ?", "Les documents ne répondent pas à cette question."],
  ["Chi ha dipinto il soffitto della cappella?", "I documenti non rispondono a questa domanda."],
  ["Quem pintou o teto da capela?", "Os documentos não respondem a esta pergunta."],
  ["Wie heeft het plafond van de kapel geschilderd?", "De documenten beantwoorden deze vraag niet."],
  ["Kto pomalował sufit tej kaplicy?", "Dokumenty nie odpowiadają na to pytanie."],
  ["Кто расписал потолок капеллы?", "Документы не отвечают на этот вопрос."],
  ["谁画了教堂的天花板？", "文档没有回答这个问题。"],
  ["礼拝堂の天井を描いたのは誰ですか？", "文書にはこの質問への答えがありません。"],
  ["Vem målade taket i kapellet?", "The documents do not answer this question."],
])("%s", async (query, nothing) => {
  const { answer, gaps } = await ask(query);
  expect(answer).toStartWith(nothing);
  expect(gaps).toHaveLength(1);
});
