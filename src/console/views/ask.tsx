// The view Ask: a question and its cited answer. The address contains the question.

import { useEffect, useRef, useState } from "preact/hooks";
import type { CitedAnswer } from "../api/openapi.d.ts";
import { write } from "../api/request.ts";
import { here, setParameters } from "../frame/location.ts";
import { CollectionSelect } from "../parts/collection-select.tsx";
import { useLoad } from "../parts/load.ts";
import { Empty, Page, Problem, Waiting } from "../parts/page.tsx";
import { Rendered } from "../parts/rendered.tsx";
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

function Answer({ answer: { answer, citations, gaps, conflicts, meta } }: { answer: CitedAnswer }) {
  const cited = citations.map(({ chunkId, documentId, documentTitle }) => ({
    id: chunkId,
    href: `/console/documents/${documentId}#${chunkId}`,
    title: documentTitle,
  }));
  return (
    <article class="answer" aria-label="Answer">
      {answer.trim() === "" ? (
        <p>Your documents do not answer this.</p>
      ) : (
        <Rendered text={answer} citations={cited} />
      )}
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
          <ol class="sources">
            {cited.map(({ id, href, title }) => (
              <li key={id}>
                <a href={href} dir="auto">
                  {title}
                </a>
              </li>
            ))}
          </ol>
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
