// Whether a write of a record is part of an import, whose records wait until what people and agents write is indexed.

type Metadata = Readonly<Record<string, unknown>>;

/** `import` if an import has set the hash of the file in this write. `before` is the metadata that the record had. */
export function indexPriority(metadata: Metadata, before: Metadata = {}): "interactive" | "import" {
  const { importHash } = metadata;
  return typeof importHash === "string" && importHash !== before.importHash ? "import" : "interactive";
}
