// A dialog that creates a collection or changes one.

import { useState } from "preact/hooks";
import type { Collection } from "../../api/openapi.d.ts";
import { messageOf, write } from "../../api/request.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Dialog, Field } from "../../parts/controls.tsx";
import { Problem } from "../../parts/page.tsx";
import { useSubmit } from "../../parts/submit.ts";

interface CollectionFormProps {
  /** The collection to change; absent for a new one. */
  collection?: Collection;
  /** The parent of a new collection; "" for the top level. */
  parentId?: string;
  close(): void;
  saved(id: string): void;
}

export function CollectionForm({ collection, close, saved, ...props }: CollectionFormProps) {
  const [fields, setFields] = useState({
    name: collection?.name ?? "",
    description: collection?.description ?? "",
    icon: collection?.icon ?? "",
    color: collection?.color ?? "",
  });
  const [parentId, setParent] = useState(props.parentId ?? "");
  const [problem, setProblem] = useState<string | undefined>();
  const { name, description, icon, color } = fields;
  const { isSending, submit } = useSubmit(async () => {
    try {
      const body = {
        name,
        description,
        ...(icon.trim() !== "" && { icon: icon.trim() }),
        ...(color !== "" && { color }),
      };
      const { id } = collection
        ? await write<{ id: string }>("PATCH", `/v1/collections/${collection.id}`, { body })
        : await write<{ id: string }>("POST", "/v1/collections", {
            body: { ...body, ...(parentId !== "" && { parentCollectionId: parentId }) },
          });
      saved(id);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [fields, parentId]);
  const control = (member: keyof typeof fields) => ({
    dir: "auto" as const,
    value: fields[member],
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setFields({ ...fields, [member]: value }),
  });
  return (
    <Dialog title={collection ? "Edit the collection" : "New collection"} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Name">
          <input required {...control("name")} />
        </Field>
        <Field label="Description">
          <input {...control("description")} />
        </Field>
        <Field label="Icon" hint="One emoji">
          <input {...control("icon")} />
        </Field>
        <ColorChoice
          value={color}
          canBeNone={!collection?.color}
          onChange={(chosen) => setFields({ ...fields, color: chosen })}
        />
        {!collection && (
          <CollectionSelect label="Inside" none="(top level)" value={parentId} onChange={setParent} />
        )}
        <Problem text={problem} />
        <button type="submit" class="primary" disabled={isSending}>
          {collection ? "Save" : "Create"}
        </button>
      </form>
    </Dialog>
  );
}

/** Dark enough for the white icon on them. */
const COLORS = [
  ["#b3261e", "Red"],
  ["#b45309", "Orange"],
  ["#8a6d00", "Yellow"],
  ["#2f7d32", "Green"],
  ["#0f766e", "Teal"],
  ["#2266aa", "Blue"],
  ["#6d4bb3", "Violet"],
  ["#a83279", "Pink"],
  ["#5f6b66", "Grey"],
] as const;

interface ColorChoiceProps {
  /** As the API has it; "" for none. */
  value: string;
  /** The API cannot take a colour away. */
  canBeNone: boolean;
  onChange(color: string): void;
}

function ColorChoice({ value, canBeNone, onChange }: ColorChoiceProps) {
  const isOther = value !== "" && !COLORS.some(([color]) => color === value.toLowerCase());
  const options = [
    ...(canBeNone ? ([["", "None"]] as const) : []),
    ...COLORS,
    ...(isOther ? ([[value, "As it is"]] as const) : []),
  ];
  return (
    <fieldset class="colours">
      <legend>Colour</legend>
      {options.map(([color, name]) => (
        <label key={color} title={name}>
          <input
            type="radio"
            name="colour"
            aria-label={name}
            checked={color === value.toLowerCase() || color === value}
            onChange={() => onChange(color)}
          />
          <span style={color === "" ? undefined : { background: color }} aria-hidden="true" />
        </label>
      ))}
    </fieldset>
  );
}
