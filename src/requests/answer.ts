// What a reply of `POST /v1/reason` consists of, in the order in which it is shown.

import { type Frames, framesFor } from "../kernel/answer-frames.ts";

/** `data` of the reply, as far as it is shown. */
export interface AnswerReply {
  /** Markdown with `[[chunkId]]` after each statement. */
  answer: string;
  citations: readonly CitationOfReply[];
  gaps: readonly string[];
  conflicts: readonly string[];
  /** Absent if a language model wrote the answer. */
  blocks?: readonly { kind: string; text: string }[];
  /** `language` is that of the question if it is not English. */
  meta?: { language?: string | undefined };
}

interface CitationOfReply {
  chunkId: string;
  documentId: string;
  documentTitle: string;
  score: number;
  source?: { path?: string; url?: string; anchor?: string; heading?: string };
}

/** The texts of an answer, Markdown with `[[chunkId]]`. */
export interface AnswerTexts {
  /** What answers the question. Empty if nothing does. */
  direct: readonly string[];
  /** What else may answer it. */
  support: readonly string[];
  /** What is near a part that nothing answers. */
  related: readonly string[];
  /** The parts of the question that nothing answers. Empty if the question has one part: `frames.nothing` says that. */
  gaps: readonly string[];
  conflicts: readonly string[];
  /** The sentences around them, in the language of the question; `nothing` is shown if `direct` is empty. */
  frames: Frames;
}

/** The texts of a reply. What a language model wrote is one text. */
export function textsOf({
  answer,
  gaps,
  conflicts,
  blocks,
  meta,
}: Omit<AnswerReply, "citations">): AnswerTexts {
  const frames = framesFor(meta?.language);
  if (!blocks) return { direct: [answer], support: [], related: [], gaps, conflicts, frames };
  const of = (...kinds: string[]) => blocks.flatMap(({ kind, text }) => (kinds.includes(kind) ? [text] : []));
  const [direct, open] = [of("direct", "computed"), of("gap")];
  return {
    direct,
    support: of("support"),
    related: of("related"),
    gaps: direct.length === 0 && open.length === 1 ? [] : open,
    conflicts: of("conflict"),
    frames,
  };
}

/** A cited document. */
export interface CitedDocument {
  documentId: string;
  title: string;
  /** The path of the imported file, or the URL of the page. */
  place: string | undefined;
  /** The innermost headings above what is cited, each once. */
  headings: string[];
  /** Its citations with their numbers in the answer, from 1. */
  cited: { number: number; chunkId: string; score: number }[];
}

/** The URL of a page, with the anchor if all that is cited is below one heading. */
function pageOf(sources: readonly AnswerReply["citations"][number]["source"][]): string | undefined {
  const anchors = new Set(sources.map((source) => source?.anchor));
  const [anchor] = anchors;
  const url = sources[0]?.url;
  return url === undefined || anchor === undefined || anchors.size > 1 ? url : `${url}#${anchor}`;
}

/** The documents that an answer cites, each once, in order of appearance. */
export function citedDocuments(citations: AnswerReply["citations"]): CitedDocument[] {
  const numbered = citations.map((citation, index) => ({ ...citation, number: index + 1 }));
  return [...Map.groupBy(numbered, ({ documentId }) => documentId)].map(([documentId, all]) => {
    const { documentTitle: title, source } = all[0]!;
    const headings = all.flatMap((one) => one.source?.heading?.split(" > ").at(-1) ?? []);
    return {
      documentId,
      title,
      place: source?.path ?? pageOf(all.map((one) => one.source)),
      headings: [...new Set(headings)].filter((heading) => heading !== title),
      cited: all.map(({ number, chunkId, score }) => ({ number, chunkId, score })),
    };
  });
}
