// The members of metadata in which an import remembers the file of a record. Must run in a browser, too.

type Metadata = Readonly<Record<string, unknown>>;

/**
 * `importDuplicateOf` is the record that a file belongs to, in the metadata of another one that was made from it, too.
 */
const IMPORT_MEMBERS = [
  "importPath",
  "importRoot",
  "importHash",
  "importState",
  "importRules",
  "importNotes",
  "importDuplicateOf",
] as const;

/**
 * The reason of the conflict if another record of the user has the import path. Its details also have `type` and `id`
 * of that one.
 */
export const IMPORT_PATH_TAKEN = "IMPORT_PATH_TAKEN";

/** The path of the file that a record was imported from; undefined if it was not imported. */
export function importPathOf({ importPath }: Metadata): string | undefined {
  return typeof importPath === "string" ? importPath : undefined;
}

/** The metadata without what an import remembers. */
export function withoutImportMembers(metadata: Metadata): Record<string, unknown> {
  const others = { ...metadata };
  for (const name of IMPORT_MEMBERS) delete others[name];
  return others;
}

/** Only what an import remembers in this metadata. */
export function importMembersOf(metadata: Metadata): Record<string, unknown> {
  const names = IMPORT_MEMBERS.filter((name) => Object.hasOwn(metadata, name));
  return Object.fromEntries(names.map((name) => [name, metadata[name]]));
}
