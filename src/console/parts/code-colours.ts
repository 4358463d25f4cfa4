// Colours the blocks of code in a rendered text, one after another, so that the page can do other things in between.

import type { Purify } from "../text/sanitise.ts";

/** Colours every block whose language is known and that has no colours yet, until `stopped` fires. */
export async function colourCode(container: Element, purify: Purify, stopped: AbortSignal): Promise<void> {
  const blocks = [
    ...container.querySelectorAll<HTMLElement>('pre > code[class*="language-"]:not([data-coloured])'),
  ];
  if (blocks.length === 0) return;
  const { highlight } = await import("../text/highlight.ts");
  for (const block of blocks) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (stopped.aborted) return;
    if (!block.isConnected) continue;
    block.dataset.coloured = "";
    const [, language = ""] = /language-([\w+#-]+)/.exec(block.className) ?? [];
    const html = highlight(block.textContent ?? "", language.toLowerCase());
    if (html !== undefined) block.replaceChildren(purify(`<span>${html}</span>`));
  }
}
