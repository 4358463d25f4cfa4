// The software bill of materials of one executable, in CycloneDX 1.6. Without time and serial number: the same build
// gives the same bytes.

import type { Component } from "./components.ts";

/** The executable that the document describes. */
export interface Described {
  version: string;
  target: string;
  /** Hex SHA-256 of the executable. */
  sha256: string;
}

/** The document as JSON text. */
export function cycloneDx({ version, target, sha256 }: Described, components: readonly Component[]): string {
  const program = `pkg:generic/ctxrepo@${version}?platform=${target}`;
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": program,
        name: "ctxrepo",
        version,
        purl: program,
        licenses: [{ license: { id: "MIT" } }],
        hashes: [{ alg: "SHA-256", content: sha256 }],
      },
    },
    components: components.map(({ name, version, license, purl, isModel }) => ({
      type: isModel ? "machine-learning-model" : "library",
      "bom-ref": purl,
      name,
      version,
      purl,
      licenses: [{ expression: license }],
    })),
    dependencies: [{ ref: program, dependsOn: components.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
