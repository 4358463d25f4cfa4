// Parts of an Office file and the relations between them (Open Packaging Conventions, ECMA-376 part 2).

import { posix } from "node:path";
import { ExtractionError } from "../errors.ts";
import type { Archive } from "./archive.ts";
import { elementsIn, readXml, type XmlElement } from "./xml.ts";

export interface OfficePackage {
  names: readonly string[];
  /** The root of a part. Throws an Error if it is missing or damaged. */
  read(name: string): Promise<XmlElement>;
  /** The same; undefined if it is missing. */
  optional(name: string): Promise<XmlElement | undefined>;
  /** The names of the parts that a part refers to, by the ids of the relations. */
  relationsOf(name: string): Promise<Map<string, string>>;
}

/** The parts of an archive that has `main`. Throws ExtractionError if it has not. */
export function openPackage({ names, has, read }: Archive, main: string): OfficePackage {
  if (!has(main)) throw new ExtractionError("NOT_TEXT", `the archive has no part ${main}`);
  const xmlOf = async (name: string) => readXml(new TextDecoder().decode(await read(name)));
  const optional = async (name: string) => (has(name) ? xmlOf(name) : undefined);
  return {
    names,
    read: xmlOf,
    optional,
    async relationsOf(name) {
      const folder = posix.dirname(name);
      const relations = await optional(`${folder}/_rels/${posix.basename(name)}.rels`);
      return new Map(
        (relations ? elementsIn(relations, "Relationship") : []).map(({ attributes }) => {
          const target = attributes.Target ?? "";
          const path = target.startsWith("/") ? target.slice(1) : posix.join(folder, target);
          return [attributes.Id ?? "", path];
        }),
      );
    },
  };
}
