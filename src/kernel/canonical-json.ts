// Canonical JSON: values that are equal as JSON have the same text.

/** JSON with the members of every object sorted by name. The value must have bounded depth. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const object = value as Record<string, unknown>;
  const members: string[] = [];
  for (const name of Object.keys(object).sort()) {
    if (object[name] !== undefined) members.push(`${JSON.stringify(name)}:${canonicalJson(object[name])}`);
  }
  return `{${members.join(",")}}`;
}
