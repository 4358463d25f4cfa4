// Formulas: their TeX is what a reader can use. It finds TeX where MathML, KaTeX, MathJax and Wikipedia keep it, and leaves
// <code class="math inline"> or <code class="math display"> in the formula's place.

import type { DomDocument, DomElement } from "../shared/dom.ts";
import { trimCharacters } from "../shared/text.ts";

/** Rewrites every formula whose TeX is known; one without keeps its visible characters. */
export function settleMath(document: DomDocument): void {
  for (const script of [...document.querySelectorAll('script[type^="math/tex"]')]) {
    const display = /mode=display/.test(script.getAttribute("type") ?? "");
    const drawn = script.previousSibling;
    if (drawn?.nodeType === 1 && /MathJax/.test((drawn as DomElement).getAttribute("class") ?? ""))
      drawn.remove();
    put(document, script, script.textContent, display);
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
    if (tex) put(document, outer, tex, display);
  }
  for (const image of [
    ...document.querySelectorAll("img.mwe-math-fallback-image-inline, img.latex, img.tex"),
  ]) {
    const tex = image.getAttribute("alt") ?? "";
    if (tex) put(document, image, tex, false);
  }
}

function put(document: DomDocument, place: DomElement, tex: string, display: boolean): void {
  const code = document.createElement("code");
  code.setAttribute("class", `math ${display ? "display" : "inline"}`);
  code.textContent = unwrapped(tex.trim());
  if (code.textContent === "") place.remove();
  else place.replaceWith(code);
}

const DISPLAY_STYLE = "{\\displaystyle";

/** Without the `{\displaystyle …}` and the dollar signs that generators put around. */
function unwrapped(tex: string): string {
  const isStyled = tex.startsWith(DISPLAY_STYLE) && tex.endsWith("}");
  const inner = isStyled ? tex.slice(DISPLAY_STYLE.length, -1).trimStart() : tex;
  return trimCharacters(inner, "$").replace(/\s+/g, " ").trim();
}
