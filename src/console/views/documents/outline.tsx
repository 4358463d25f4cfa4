// The sections of a document, from its chunk tree. Each is a link to the passage.

import type { Document } from "../../api/openapi.d.ts";
import { read } from "../../api/request.ts";
import type { Section } from "../../../features/console/replies.ts";
import { here } from "../../frame/location.ts";
import { changesOf, useLoad } from "../../parts/load.ts";

const MAX_SECTIONS = 500;

export function Outline({ document: { id, contentHash } }: { document: Document }) {
  const { value: sections = [] } = useLoad(
    (signal) => read<Section[]>(`/console/api/documents/${id}/outline`, { signal }),
    [id, contentHash],
    { key: `outline ${id}`, concerns: changesOf(["document"], id) },
  );
  if (sections.length < 2) return <div class="outline" />;
  const chunkId = here.value.hash.slice(1);
  return (
    <details class="outline" open={matchMedia("(min-width: 78.01rem)").matches}>
      <summary>Outline</summary>
      <ol>
        {sections.slice(0, MAX_SECTIONS).map((section) => (
          <li key={section.chunkId} style={{ "--depth": Math.max(0, Math.min(section.path.length, 6) - 1) }}>
            <a
              href={`/console/documents/${id}#${section.chunkId}`}
              aria-current={section.chunkId === chunkId ? "location" : undefined}
              dir="auto"
            >
              {section.heading ?? "Untitled section"}
            </a>
          </li>
        ))}
      </ol>
    </details>
  );
}
