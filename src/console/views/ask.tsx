// The view Ask: a question and its cited answer. The address contains the question.

import { useEffect, useRef, useState } from "preact/hooks";
import type { CitedAnswer } from "../api/openapi.d.ts";
import { write } from "../api/request.ts";
import { here, setParameters } from "../frame/location.ts";
import { CollectionSelect } from "../parts/collection-select.tsx";
import { useLoad } from "../parts/load.ts";
import { Empty, Page, Problem, Waiting } from "../parts/page.tsx";
import { Rendered } from "../parts/rendered.tsx";
import { citedDocuments, textsOf } from "../../requests/answer.ts";
import { duration, plural } from "../text/format.ts";

export function AskView() {
  const parameters = here.value.searchParams;
  const question = parameters.get("q") ?? "";
  const collectionId = parameters.get("collection") ?? "";
  const [typed, setTyped] = useState(question);
  const [round, setRound] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => setTyped(question), [question]);
  const answer = useLoad(
    async (signal) =>
      question.trim() === ""
        ? undefined
        : write<CitedAnswer>("POST", "/v1/reason", {
            body: { query: question, ...(collectionId !== "" && { collectionId }) },
            signal,
          }),
    [question, collectionId, round],
  );
  return (
    <Page title={question === "" ? "Ask" : `${question} – Ask`} isTitleHidden>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          setParameters({ q: typed.trim() });
          setRound(round + 1);
        }}
      >
        <div class="search-line">
          <label class="hidden" for="question">
            Question
          </label>
          <input
            id="question"
            ref={field}
            required
            autocomplete="off"
            placeholder="Ask a question about your documents"
            value={typed}
            onInput={({ currentTarget: { value } }) => setTyped(value)}
          />
          <button type="submit" class="primary">
            Ask
          </button>
        </div>
        <CollectionSelect
          label="Ask the documents of"
          none="all collections"
          value={collectionId}
          onChange={(collection) => setParameters({ collection })}
        />
      </form>
      <Problem text={answer.problem} retry={answer.reload} />
      {question === "" && (
        <Empty title="Answers from your own documents">
          <p>
            Every statement names the paragraph that it comes from. What the documents do not say is listed as
            a gap.
          </p>
        </Empty>
      )}
      {answer.isLoading && question !== "" && <Waiting what="Reading your documents" />}
      {answer.value && !answer.isLoading && <Answer answer={answer.value} />}
    </Page>
  );
}

function Answer({ answer }: { answer: CitedAnswer }) {
  const { citations, meta } = answer;
  const { direct, support, related, gaps, conflicts, frames } = textsOf(answer);
  const hrefOf = (documentId: string, chunkId: string) => `/console/documents/${documentId}#${chunkId}`;
  const cited = citations.map(({ chunkId, documentId, documentTitle }) => ({
    id: chunkId,
    href: hrefOf(documentId, chunkId),
    title: documentTitle,
  }));
  const quotations = (texts: readonly string[], title?: string) =>
    texts.length > 0 && (
      <>
        {title !== undefined && <p class="quiet">{title}</p>}
        <Rendered text={texts.join("\n\n")} citations={cited} />
      </>
    );
  return (
    <article class="answer" aria-label="Answer">
      {meta.pending !== undefined && (
        <p class="pending">
          {plural(meta.pending, "record")} still being indexed: the answer may be incomplete.
        </p>
      )}
      {direct.length === 0 && <p dir="auto">{frames.nothing}</p>}
      {quotations(direct)}
      {quotations(support, frames.also)}
      {quotations(related, frames.related)}
      {conflicts.length > 0 && (
        <section class="box">
          <h2>Conflicts</h2>
          {conflicts.map((conflict) => (
            <Rendered key={conflict} text={conflict} citations={cited} />
          ))}
        </section>
      )}
      {gaps.length > 0 && (
        <section class="box">
          <h2>Not answered by your documents</h2>
          <ul>
            {gaps.map((gap) => (
              <li key={gap} dir="auto">
                {gap}
              </li>
            ))}
          </ul>
        </section>
      )}
      {cited.length > 0 && (
        <section>
          <h2>Sources</h2>
          <ul class="sources">
            {citedDocuments(citations).map(({ documentId, title, place, headings, cited: numbered }) => (
              <li key={documentId} dir="auto">
                {numbered.map(({ number, chunkId }) => (
                  <a key={chunkId} class="citation" href={hrefOf(documentId, chunkId)}>
                    {number}
                  </a>
                ))}{" "}
                <a href={hrefOf(documentId, numbered[0]!.chunkId)}>{title}</a>
                {place !== undefined && ` — ${place}`}
                {headings.length > 0 && ` › ${headings.join(", ")}`}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="quiet">
        From {plural(meta.chunksGathered, "passage")} in {duration(meta.latencyMs)}.
        {meta.fallback !== undefined &&
          " The language model could not be used: the answer quotes the documents."}
      </p>
    </article>
  );
}
