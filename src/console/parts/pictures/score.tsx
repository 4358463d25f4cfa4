// A score as a bar of its parts. The number and the parts are said as text beside it.

import { PARTS, type ScorePart } from "./score-parts.ts";

/** `meaning 0.41, words in common 0.12`. */
export const partsText = (parts: readonly ScorePart[]) =>
  parts.map(({ part, points }) => `${PARTS[part]} ${points.toFixed(2)}`).join(", ");

export function ScoreBar({ parts }: { parts: readonly ScorePart[] }) {
  return (
    <span class="score-bar" title={partsText(parts)} aria-hidden="true">
      {parts.map(({ part, points }) => (
        <span key={part} class={`part-${part}`} style={{ width: `${100 * points}%` }} />
      ))}
    </span>
  );
}

/** The parts by name, with their colours. */
export function ScoreKey({ parts }: { parts: readonly ScorePart[] }) {
  return parts.map(({ part, points }) => (
    <div key={part}>
      <dt>
        <span class={`part-mark part-${part}`} aria-hidden="true" />
        Points for {PARTS[part]}
      </dt>
      <dd>{points.toFixed(3)}</dd>
    </div>
  ));
}
