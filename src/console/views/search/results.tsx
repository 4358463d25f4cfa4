// The results of a search, by kind of record, each with the reason for its score.

import type { CollectionHit, DocumentHit, PromptHit } from "../../api/openapi.d.ts";
import { readSearch } from "../../../kernel/search-syntax.ts";
import { Tags } from "../../parts/controls.tsx";
import { ScoreBar, ScoreKey, partsText } from "../../parts/pictures/score.tsx";
import { partsOf } from "../../parts/pictures/score-parts.ts";
import { Empty } from "../../parts/page.tsx";
import { highlight, plural } from "../../text/format.ts";
import { withoutMarkup } from "../../text/plain.ts";
import type { Found } from "./find.ts";

export function Results({ found }: { found: Found }) {
  const query = readSearch(found.search.query).text;
  if (found.count === 0) {
    return (
      <Empty title="Nothing found">
        <p>
          Use other words, a lower minimum score, or search by exact text. Texts can be found a moment after
          they are stored.
        </p>
      </Empty>
    );
  }
  return (
    <>
      {found.documents.length > 0 && (
        <Group name="Documents">
          {found.documents.map((hit) => (
            <DocumentResult key={hit.id} hit={hit} query={query} isExact={found.search.isLiteral} />
          ))}
        </Group>
      )}
      {found.prompts.length > 0 && (
        <Group name="Prompts">
          {found.prompts.map((hit) => (
            <PromptResult key={hit.id} hit={hit} query={query} />
          ))}
        </Group>
      )}
      {found.collections.length > 0 && (
        <Group name="Collections">
          {found.collections.map((hit) => (
            <CollectionResult key={hit.id} hit={hit} query={query} />
          ))}
        </Group>
      )}
    </>
  );
}

function Group({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <section class="group">
      <h2>{name}</h2>
      <ul class="hits">{children}</ul>
    </section>
  );
}

interface DocumentResultProps {
  hit: DocumentHit;
  query: string;
  /** Whether the text is shown as it is stored. */
  isExact: boolean;
}

function DocumentResult({ hit, query, isExact }: DocumentResultProps) {
  const chunk = hit.chunkId ?? hit.explain?.chunkId;
  return (
    <li>
      <a class="hit" href={`/console/documents/${hit.documentId}${chunk ? `#${chunk}` : ""}`} dir="auto">
        <Marked text={hit.title} query={query} />
      </a>
      <p class="snippet" dir="auto">
        <Marked text={isExact ? hit.highlight : withoutMarkup(hit.highlight)} query={query} />
      </p>
      <Facts hit={hit} />
    </li>
  );
}

function PromptResult({ hit, query }: { hit: PromptHit; query: string }) {
  return (
    <li>
      <a class="hit" href={`/console/prompts/${hit.promptId}`} dir="auto">
        <Marked text={hit.title} query={query} />
      </a>
      <p class="snippet" dir="auto">
        <Marked text={hit.description} query={query} />
      </p>
      <Facts hit={hit} />
    </li>
  );
}

function CollectionResult({ hit, query }: { hit: CollectionHit; query: string }) {
  return (
    <li>
      <a class="hit" href={`/console/collections/${hit.collectionId}`} dir="auto">
        {hit.icon} <Marked text={hit.name} query={query} />
      </a>
      <p class="snippet" dir="auto">
        {plural(hit.itemCount, "item")} {hit.description && "· "}
        <Marked text={hit.description ?? ""} query={query} />
      </p>
      <Facts hit={hit} />
    </li>
  );
}

/** The words of the query are marked. */
function Marked({ text, query }: { text: string; query: string }) {
  return (
    <>
      {highlight(text, query).map((part, index) =>
        index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
      )}
    </>
  );
}

/** Score, tags, and why the record was found. */
function Facts({ hit }: { hit: DocumentHit | PromptHit | CollectionHit }) {
  return (
    <div class="facts">
      {hit.type === "document" && hit.status === "archived" && <span class="status">archived</span>}
      <Why hit={hit} />
      <Tags tags={hit.tags} base={hit.type === "prompt" ? "/console/prompts" : "/console/documents"} />
    </div>
  );
}

function Why({ hit }: { hit: DocumentHit | PromptHit | CollectionHit }) {
  const rows = Object.entries(hit.explain ?? {}).filter(([, value]) => typeof value === "number");
  if (hit.score === undefined || hit.type === "collection" || rows.length === 0) return null;
  const parts = partsOf(hit.score, hit.explain ?? {});
  return (
    <details class="why">
      <summary>
        <ScoreBar parts={parts} /> Score {hit.score.toFixed(2)}{" "}
        <span class="hidden">
          of {hit.title}: {partsText(parts)}
        </span>
        · why?
      </summary>
      <dl>
        <ScoreKey parts={parts} />
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{MEANINGS[name] ?? name}</dt>
            <dd>{Number(value).toFixed(3)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const MEANINGS: Record<string, string> = {
  cosine: "Similarity of meaning (cosine)",
  dense: "Similarity on the scale of scores",
  lexical: "Words in common (BM25)",
  exact: "Exact match",
  neighbours: "Added for similar passages nearby",
  denseWeight: "Weight of meaning against words",
};
