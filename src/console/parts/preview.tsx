// How a text that is being typed will look.

import { plural } from "../text/format.ts";
import { MAX_RENDERED_UNITS } from "../text/markdown.ts";
import { Rendered } from "./rendered.tsx";

export function Preview({ text }: { text: string }) {
  return (
    <section aria-label="Preview" class="preview">
      {text.length > MAX_RENDERED_UNITS ? (
        <p class="quiet">
          A text of more than {plural(MAX_RENDERED_UNITS, "character")} has no preview. It is kept and saved
          as any other.
        </p>
      ) : (
        <Rendered text={text} />
      )}
    </section>
  );
}
