// The placeholders of a prompt that is being edited: the type and the meaning of their values.

import { type Variable, variablesFor, variablesText } from "../../text/variables.ts";

/** The types, with what people are asked. */
const TYPES: readonly (readonly [Variable["type"], string])[] = [
  ["string", "text"],
  ["number", "number"],
  ["boolean", "yes or no"],
];

interface VariablesProps {
  /** The prompt, which contains them. */
  content: string;
  /** Their types and descriptions, as variablesText writes them. */
  value: string;
  onChange(value: string): void;
}

export function Variables({ content, value, onChange }: VariablesProps) {
  const variables = variablesFor(content, value);
  if (variables.length === 0) return null;
  const put = (name: string, part: Partial<Variable>) =>
    onChange(variablesText(variables.map((one) => (one.name === name ? { ...one, ...part } : one))));
  return (
    <fieldset class="variables">
      <legend>Placeholders</legend>
      {variables.map(({ name, type, description = "" }) => (
        <div key={name}>
          <code dir="auto">{name}</code>
          <select
            aria-label={`Type of ${name}`}
            value={type}
            onChange={({ currentTarget }) => put(name, { type: currentTarget.value as Variable["type"] })}
          >
            {TYPES.map(([known, text]) => (
              <option key={known} value={known}>
                {text}
              </option>
            ))}
          </select>
          <input
            aria-label={`Description of ${name}`}
            placeholder="What it is for"
            dir="auto"
            value={description}
            onInput={({ currentTarget }) => put(name, { description: currentTarget.value })}
          />
        </div>
      ))}
    </fieldset>
  );
}
