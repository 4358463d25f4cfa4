// How a text that is being typed will look. It follows a moment after the last key.

import { useEffect, useState } from "preact/hooks";
import { plural } from "../text/format.ts";
import { MAX_RENDERED_UNITS } from "../text/limits.ts";
import { Rendered } from "./rendered.tsx";

const DELAY_MS = 120;

export function Preview({ text }: { text: string }) {
  const [shown, setShown] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setShown(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <section aria-label="Preview" class="preview" aria-busy={shown !== text}>
      {shown.length > MAX_RENDERED_UNITS ? (
        <p class="quiet">
          A text of more than {plural(MAX_RENDERED_UNITS, "character")} has no preview. It is kept and saved
          as any other.
        </p>
      ) : (
        <Rendered text={shown} />
      )}
    </section>
  );
}
