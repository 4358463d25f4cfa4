// HTML templates that escape every value, except HTML created by a template.

/** A piece of HTML. Only `html` creates one. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[] | undefined;

/** A template. Values are escaped, except pieces of HTML and lists of them; undefined is omitted. */
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
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Paragraphs separated by blank lines, with code between backticks. */
export function prose(text: string | undefined): Html {
  const paragraphs = (text ?? "").split("\n\n").filter((paragraph) => paragraph !== "");
  return html`${paragraphs.map((paragraph) => html`<p>${line(paragraph)}</p>`)}`;
}

/** Inline text, with code between backticks. */
export function line(text: string | undefined): Html {
  const parts = (text ?? "").split("`");
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
