// HTML that cannot be broken by what stands in it: every value is escaped unless it is HTML made here.

/** A piece of HTML; only `html` and `css` make one. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[] | undefined;

/** A template whose values are escaped; pieces of HTML, and lists of them, go in as they are; undefined is nothing. */
export function html(texts: TemplateStringsArray, ...values: Value[]): Html {
  const markup = values.map((value) => {
    if (value === undefined) return "";
    if (typeof value === "object")
      return "markup" in value ? value.markup : value.map((part) => part.markup).join("");
    return escaped(String(value));
  });
  return { markup: String.raw({ raw: texts }, ...markup) };
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** Prose of the document: paragraphs, and code between backticks. */
export function prose(text: string | undefined): Html {
  const paragraphs = (text ?? "").split("\n\n").filter((paragraph) => paragraph !== "");
  return html`${paragraphs.map((paragraph) => html`<p>${line(paragraph)}</p>`)}`;
}

/** One line of it. */
export function line(text: string | undefined): Html {
  const parts = (text ?? "").split("`");
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
