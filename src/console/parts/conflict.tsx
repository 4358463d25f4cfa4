// Two changes of a record that were made at the same time: merges them, shows the result, and asks about the places
// that both have changed.

import { useMemo, useState } from "preact/hooks";
import { type Clash, type MergedBy, mergeField, type Piece } from "../../kernel/merge.ts";
import { plural } from "../text/format.ts";
import { Time } from "./controls.tsx";
import { DiffView } from "./diff-view.tsx";
import { asTyped, type Snapshot } from "./editing.ts";

/** What is taken where both sides have changed the same place; undefined until it is decided. */
type Decision = "theirs" | "mine" | "both";

interface ConflictProps<Value> {
  noun: string;
  /** The state that mine was made from. */
  base: Snapshot<Value>;
  mine: Value;
  theirs: Snapshot<Value>;
  mergedBy: Readonly<Record<keyof Value & string, MergedBy>>;
  isSaving: boolean;
  /** Saves the merged record as a change of theirs. */
  save(merged: Value): void;
  /** Goes on editing the merged record. */
  edit(merged: Value): void;
  /** Gives mine up. */
  discard(): void;
}

const LABELS: Record<string, string> = {
  title: "Title",
  description: "Description",
  content: "Text",
  tags: "Tags",
  metadata: "Metadata",
  variables: "Placeholders",
};

export function Conflict<Value extends Record<keyof Value, string>>(props: ConflictProps<Value>) {
  const { noun, base, mine, theirs, mergedBy, isSaving } = props;
  const fields = useMemo(
    () =>
      (Object.keys(mergedBy) as (keyof Value & string)[]).map((name) => {
        const sides = {
          base: asTyped(base.value)[name],
          mine: mine[name],
          theirs: asTyped(theirs.value)[name],
        };
        return { name, sides, pieces: mergeField(sides, mergedBy[name]) };
      }),
    [base, mine, theirs],
  );
  const [decisions, setDecisions] = useState<Readonly<Record<string, Decision>>>({});
  const clashes = fields.flatMap(({ name, pieces }) =>
    pieces.flatMap((piece, index) =>
      typeof piece === "string" ? [] : [{ key: `${name} ${index}`, name, clash: piece }],
    ),
  );
  const open = clashes.filter(({ key }) => decisions[key] === undefined).length;
  const merged = Object.fromEntries(
    fields.map(({ name, pieces }) => [
      name,
      pieces.map((piece, index) => decided(piece, decisions[`${name} ${index}`])).join(""),
    ]),
  ) as Value;
  const changed = fields.filter(({ name, sides }) => sides.theirs !== merged[name]);

  return (
    <section class="conflict" aria-labelledby="conflict-title">
      <h2 id="conflict-title">Somebody else has changed this {noun}</h2>
      <p>
        It was saved <Time at={theirs.changedAt} />, while you were editing it.{" "}
        {clashes.length === 0
          ? "Both changes fit together: this is what the merged text adds to theirs."
          : `${plural(clashes.length, "place")} ${clashes.length === 1 ? "was" : "were"} changed by both: decide what to take. Everything else is merged.`}
      </p>
      {clashes.map(({ key, name, clash }) => (
        <ClashChoice
          key={key}
          label={LABELS[name] ?? name}
          clash={clash}
          canTakeBoth={mergedBy[name] === "lines"}
          decision={decisions[key]}
          decide={(decision) => setDecisions({ ...decisions, [key]: decision })}
        />
      ))}
      {open === 0 &&
        changed.map(({ name, sides }) => (
          <section key={name} aria-label={`Merged ${name}`}>
            <h3>{LABELS[name] ?? name}</h3>
            <DiffView
              before={sides.theirs}
              after={merged[name]}
              label={`From their ${name} to the merged one`}
            />
          </section>
        ))}
      {open === 0 && changed.length === 0 && (
        <p class="quiet">Theirs contains everything that you have changed.</p>
      )}
      <div class="save-bar">
        <p class="save-state" role="status">
          {open === 0 ? "Merged, not saved" : `${plural(open, "place")} to decide`}
        </p>
        <div class="actions">
          <button type="button" class="danger" onClick={props.discard}>
            Discard mine
          </button>
          <button type="button" disabled={open > 0} onClick={() => props.edit(merged)}>
            Edit the merged text
          </button>
          <button
            type="button"
            class="primary"
            disabled={open > 0 || isSaving}
            onClick={() => props.save(merged)}
          >
            Save the merged text
          </button>
        </div>
      </div>
    </section>
  );
}

function decided(piece: Piece, decision: Decision | undefined): string {
  if (typeof piece === "string") return piece;
  const { theirs, mine } = piece;
  if (decision !== "both") return decision === "theirs" ? theirs : mine;
  return theirs === "" || theirs.endsWith("\n") ? theirs + mine : `${theirs}\n${mine}`;
}

interface ClashChoiceProps {
  label: string;
  clash: Clash;
  canTakeBoth: boolean;
  decision: Decision | undefined;
  decide(decision: Decision): void;
}

function ClashChoice({ label, clash, canTakeBoth, decision, decide }: ClashChoiceProps) {
  const options: [Decision, string, string][] = [
    ["theirs", "Take theirs", clash.theirs],
    ["mine", "Take mine", clash.mine],
  ];
  return (
    <fieldset class="clash">
      <legend>{label}</legend>
      <div class="side-by-side">
        {options.map(([value, name, text]) => (
          <label key={value} class={decision === value || decision === "both" ? "taken" : ""}>
            <span>
              <input
                type="radio"
                name={`clash of ${label} ${clash.theirs}`}
                checked={decision === value}
                onChange={() => decide(value)}
              />{" "}
              {name}
            </span>
            <pre dir="auto">{text === "" ? "(nothing)" : text}</pre>
          </label>
        ))}
      </div>
      {canTakeBoth && (
        <label>
          <input
            type="radio"
            name={`clash of ${label} ${clash.theirs}`}
            checked={decision === "both"}
            onChange={() => decide("both")}
          />{" "}
          Take both, theirs first
        </label>
      )}
    </fieldset>
  );
}
