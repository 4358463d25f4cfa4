// Texts for the eye and their twins for screen readers: one of the two stays. Labels of pictures without text are
// written where nothing else says what they show.

import { type DomDocument, type DomElement, namesOf, plainText } from "../shared/dom.ts";

const SPOKEN =
  /(?:^|\s)(?:sr-only|screen-reader-text|visually-?hidden|u-hidden-visually|a11y-hidden)(?:\s|$)/;
/** Places that have no other text than a picture. */
const PLACE = "td, th, li, dd, dt, p, figcaption, div, span";
const MAX_LABEL = 200;
/** Maximum levels from a spoken text to the place that also contains its visible twin. */
const MAX_LEVELS = 2;

/** Makes spoken texts visible if what is seen beside them is a decoration. Before hidden elements are removed. */
export function keepSpokenTexts(document: DomDocument): void {
  for (const picture of [
    ...document.querySelectorAll("svg[aria-label], [role=img][aria-label], svg > title"),
  ]) {
    const image = picture.localName === "title" ? picture.parentNode! : picture;
    const label = (image.getAttribute("aria-label") ?? plainText(picture)).trim().slice(0, MAX_LABEL);
    if (label === "" || image.closest("a, button, nav, header, footer, [aria-hidden=true]")) continue;
    const place = image.parentNode;
    if (place?.matches(PLACE) && textWithout(place, image) === "" && !place.querySelector("img"))
      image.replaceWith(label);
  }
  for (const spoken of [...document.querySelectorAll("[class]")]) {
    if (
      !SPOKEN.test(namesOf(spoken)) ||
      spoken.closest("a, button, nav, label, legend, h1, h2, h3, h4, h5, h6")
    )
      continue;
    const drawn = twinOf(spoken);
    if (!drawn) continue;
    drawn.remove();
    spoken.removeAttribute("class");
  }
}

function textWithout(place: DomElement, inner: DomElement): string {
  return plainText(place).replace(plainText(inner), "").trim();
}

/** What is drawn beside a spoken text, instead of it. */
function twinOf(spoken: DomElement): DomElement | undefined {
  let place = spoken.parentNode;
  for (let level = 0; level < MAX_LEVELS && place?.matches(PLACE); level++, place = place.parentNode) {
    const drawn = [...place.querySelectorAll("[aria-hidden=true]")].filter((one) => !one.contains(spoken));
    if (drawn.length === 1) return drawn[0];
    if (drawn.length > 1) return undefined;
  }
  return undefined;
}
