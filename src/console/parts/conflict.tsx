// Two versions of a record that were made at the same time: shows both, and asks which one to keep.

import { Time } from "./controls.tsx";
import { DiffView } from "./diff-view.tsx";
import { Source } from "./source.tsx";

/** One of the two versions. */
interface Side {
  title: string;
  content: string;
}

interface ConflictProps {
  noun: "document" | "prompt";
  mine: Side;
  theirs: Side & { changedAt: number };
  /** Saves mine over theirs. */
  keepMine(): void;
  /** Gives mine up. */
  takeTheirs(): void;
  /** Goes back to editing mine; saving it then replaces theirs. */
  edit(): void;
}

export function Conflict({ noun, mine, theirs, ...props }: ConflictProps) {
  return (
    <section class="conflict" aria-labelledby="conflict-title">
      <h2 id="conflict-title">Somebody else has changed this {noun}</h2>
      <p>
        It was saved <Time at={theirs.changedAt} />, while you were editing it. Their version remains in the
        list of versions, also if you save yours over it.
      </p>
      {theirs.title !== mine.title && (
        <p>
          Their title: <b dir="auto">{theirs.title}</b>. Yours: <b dir="auto">{mine.title}</b>.
        </p>
      )}
      <DiffView before={theirs.content} after={mine.content} label="From their text to yours" />
      <div class="side-by-side">
        <section aria-label="Their version">
          <h3>Theirs</h3>
          <Source text={theirs.content} label="Their text" />
        </section>
        <section aria-label="Your version">
          <h3>Yours</h3>
          <Source text={mine.content} label="Your text" />
        </section>
      </div>
      <div class="actions">
        <button type="button" class="primary" onClick={props.edit}>
          Continue editing mine
        </button>
        <button type="button" onClick={props.keepMine}>
          Save mine over theirs
        </button>
        <button type="button" class="danger" onClick={props.takeTheirs}>
          Discard mine
        </button>
      </div>
    </section>
  );
}
