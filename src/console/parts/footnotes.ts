// Footnotes in a rendered text: the number in the text leads to the note, and the number of the note back.

import { NOTE } from "../text/markdown-extensions.ts";

/** Makes a button of each number of a footnote. */
export function linkFootnotes(element: Element): void {
  for (const link of element.querySelectorAll<HTMLAnchorElement>(`a[data-to^="${NOTE}"]`)) {
    const isNote =
      link.closest("p.footnote") !== null &&
      link.parentElement === link.closest("p.footnote")?.firstElementChild;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "footnote-link";
    button.dataset.footnote = link.dataset.to!.slice(NOTE.length);
    button.dataset.side = isNote ? "note" : "text";
    button.textContent = link.textContent;
    button.setAttribute(
      "aria-label",
      isNote ? `Footnote ${link.textContent}: back to the text` : `Footnote ${link.textContent}`,
    );
    link.replaceWith(button);
  }
}

/** Goes to the other side of a footnote. */
export function followFootnote({ target, currentTarget }: Event): void {
  const button = target instanceof Element ? target.closest<HTMLElement>("button.footnote-link") : null;
  if (!button || !(currentTarget instanceof Element)) return;
  const { footnote, side } = button.dataset;
  const other = [...currentTarget.querySelectorAll<HTMLElement>("button.footnote-link")].find(
    ({ dataset }) => dataset.footnote === footnote && dataset.side !== side,
  );
  other?.focus({ preventScroll: true });
  other?.scrollIntoView({ block: "center" });
}
