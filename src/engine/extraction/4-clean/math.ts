// Replaces formulas by their TeX, as written by MathML, KaTeX, MathJax and Wikipedia: <code class="math inline"> or
// <code class="math display">.

import type { DomDocument, DomElement } from "../shared/dom.ts";
import { texOf } from "../shared/tex.ts";
import { trimCharacters } from "../shared/text.ts";

/** Replaces every formula by its TeX, which is written from its MathML if the page has none. */
export function normalizeMath(document: DomDocument): void {
  for (const script of [...document.querySelectorAll('script[type^="math/tex"]')]) {
    const display = /mode=display/.test(script.getAttribute("type") ?? "");
    const drawn = script.previousSibling;
    if (drawn?.nodeType === 1 && /MathJax/.test((drawn as DomElement).getAttribute("class") ?? ""))
      drawn.remove();
    replace(document, script, { tex: script.textContent, display });
  }
  for (const math of [...document.querySelectorAll("math")]) {
    const tex = (
      math.querySelector('annotation[encoding="application/x-tex"]')?.textContent ??
      math.getAttribute("alttext") ??
      ""
    ).trim();
    const shell = math.closest(".katex-display, .katex, mjx-container, .MathJax, .mwe-math-element") ?? math;
    const outer = shell.closest(".katex-display, .mwe-math-element") ?? shell;
    const display =
      math.getAttribute("display") === "block" ||
      outer.matches(".katex-display, .MathJax_Display, [display='true']");
    const written = tex || texOf(math.outerHTML);
    if (written) replace(document, outer, { tex: written, display });
  }
  for (const image of [
    ...document.querySelectorAll("img.mwe-math-fallback-image-inline, img.latex, img.tex"),
  ]) {
    const tex = image.getAttribute("alt") ?? "";
    if (tex) replace(document, image, { tex, display: false });
  }
}

interface Formula {
  tex: string;
  display: boolean;
}

function replace(document: DomDocument, place: DomElement, { tex, display }: Formula): void {
  const code = document.createElement("code");
  code.setAttribute("class", `math ${display ? "display" : "inline"}`);
  code.textContent = unwrapped(tex.trim());
  if (code.textContent === "") place.remove();
  else place.replaceWith(code);
}

const DISPLAY_STYLE = "{\\displaystyle";

/** TeX without the `{\displaystyle …}` and the dollar signs that generators add. */
function unwrapped(tex: string): string {
  const isStyled = tex.startsWith(DISPLAY_STYLE) && tex.endsWith("}");
  const inner = isStyled ? tex.slice(DISPLAY_STYLE.length, -1).trimStart() : tex;
  return trimCharacters(inner, "$").replace(/\s+/g, " ").trim();
}
