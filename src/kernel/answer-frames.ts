// The sentences around quotations in an answer, in the languages of the questions that get them. `…` is a part of the
// question.

export interface Frames {
  /** No document answers. */
  nothing: string;
  /** A part that no document answers, beside others that are answered. */
  unsaid: string;
  /** Before a statement that contradicts what is quoted. */
  disagreement: string;
  /** Before further passages. */
  also: string;
  /** Before passages near a question that nothing answers. */
  related: string;
  /** A line of `gaps`. */
  gap: string;
  /** What a gap names if the question has no words. */
  asked: string;
  /** Headings of lists after an answer: its gaps, its conflicts and the documents that it cites. */
  headings: { gaps: string; conflicts: string; sources: string };
}

const ENGLISH: Frames = {
  nothing: "The documents do not answer this question.",
  unsaid: "The documents do not say: “…”.",
  disagreement: "But another document states:",
  also: "Also:",
  related: "Related, but not an answer:",
  gap: "The documents do not establish: …",
  asked: "what was asked",
  headings: { gaps: "Not found", conflicts: "Sources disagree", sources: "Sources" },
};

/** By ISO 639-1 code. */
const FRAMES: Record<string, Frames> = {
  en: ENGLISH,
  de: {
    nothing: "Die Dokumente beantworten diese Frage nicht.",
    unsaid: "Die Dokumente sagen nicht: „…“.",
    disagreement: "Ein anderes Dokument sagt jedoch:",
    also: "Außerdem:",
    related: "Verwandt, aber keine Antwort:",
    gap: "Die Dokumente geben keine Auskunft: …",
    asked: "wonach gefragt wurde",
    headings: { gaps: "Nicht gefunden", conflicts: "Quellen widersprechen sich", sources: "Quellen" },
  },
  es: {
    nothing: "Los documentos no responden a esta pregunta.",
    unsaid: "Los documentos no dicen: «…».",
    disagreement: "Pero otro documento dice:",
    also: "Además:",
    related: "Relacionado, pero no es una respuesta:",
    gap: "Los documentos no aclaran: …",
    asked: "lo que se preguntó",
    headings: { gaps: "No encontrado", conflicts: "Las fuentes se contradicen", sources: "Fuentes" },
  },
  fr: {
    nothing: "Les documents ne répondent pas à cette question.",
    unsaid: "Les documents ne disent pas : « … ».",
    disagreement: "Mais un autre document indique :",
    also: "Aussi :",
    related: "Proche du sujet, mais pas une réponse :",
    gap: "Les documents n’établissent pas : …",
    asked: "ce qui était demandé",
    headings: { gaps: "Non trouvé", conflicts: "Les sources se contredisent", sources: "Sources" },
  },
  it: {
    nothing: "I documenti non rispondono a questa domanda.",
    unsaid: "I documenti non dicono: «…».",
    disagreement: "Un altro documento però afferma:",
    also: "Inoltre:",
    related: "Attinente, ma non è una risposta:",
    gap: "I documenti non chiariscono: …",
    asked: "ciò che è stato chiesto",
    headings: { gaps: "Non trovato", conflicts: "Le fonti si contraddicono", sources: "Fonti" },
  },
  pt: {
    nothing: "Os documentos não respondem a esta pergunta.",
    unsaid: "Os documentos não dizem: “…”.",
    disagreement: "Mas outro documento afirma:",
    also: "Também:",
    related: "Relacionado, mas não é uma resposta:",
    gap: "Os documentos não esclarecem: …",
    asked: "o que foi perguntado",
    headings: { gaps: "Não encontrado", conflicts: "As fontes se contradizem", sources: "Fontes" },
  },
  nl: {
    nothing: "De documenten beantwoorden deze vraag niet.",
    unsaid: "De documenten zeggen niet: “…”.",
    disagreement: "Maar een ander document zegt:",
    also: "Ook:",
    related: "Verwant, maar geen antwoord:",
    gap: "De documenten geven geen uitsluitsel: …",
    asked: "wat er gevraagd is",
    headings: { gaps: "Niet gevonden", conflicts: "Bronnen spreken elkaar tegen", sources: "Bronnen" },
  },
  pl: {
    nothing: "Dokumenty nie odpowiadają na to pytanie.",
    unsaid: "Dokumenty nie mówią: „…”.",
    disagreement: "Inny dokument podaje jednak:",
    also: "Ponadto:",
    related: "Na ten temat, ale nie jest to odpowiedź:",
    gap: "Dokumenty nie wyjaśniają: …",
    asked: "tego, o co zapytano",
    headings: { gaps: "Nie znaleziono", conflicts: "Źródła są sprzeczne", sources: "Źródła" },
  },
  ru: {
    nothing: "Документы не отвечают на этот вопрос.",
    unsaid: "В документах не сказано: «…».",
    disagreement: "Но в другом документе сказано:",
    also: "Также:",
    related: "Близко по теме, но не ответ:",
    gap: "Из документов не следует: …",
    asked: "то, о чём спрошено",
    headings: { gaps: "Не найдено", conflicts: "Источники противоречат друг другу", sources: "Источники" },
  },
  zh: {
    nothing: "文档没有回答这个问题。",
    unsaid: "文档没有说明：“…”。",
    disagreement: "但另一份文档写道：",
    also: "另外：",
    related: "相关，但不是答案：",
    gap: "文档没有说明：…",
    asked: "所问的内容",
    headings: { gaps: "未找到", conflicts: "来源相互矛盾", sources: "来源" },
  },
  ja: {
    nothing: "文書にはこの質問への答えがありません。",
    unsaid: "文書には次のことが書かれていません：「…」。",
    disagreement: "しかし、別の文書には次のようにあります：",
    also: "その他：",
    related: "関連はありますが、答えではありません：",
    gap: "文書からは分かりません：…",
    asked: "質問の内容",
    headings: { gaps: "見つかりません", conflicts: "出典が食い違っています", sources: "出典" },
  },
};

/** The frames for a question in this language; the English ones for a language without any, and for an unknown one. */
export const framesFor = (code: string | undefined): Frames => (code && FRAMES[code]) || ENGLISH;

/** A frame with a part of the question. */
export const filled = (frame: string, part: string): string => frame.replace("…", () => part);
