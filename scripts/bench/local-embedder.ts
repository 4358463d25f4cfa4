// The included embedder, with its worker thread, in this process.

import { type Embedder, openEmbedder } from "../../src/engine/embedding/embedder.ts";
import { findModelDirectory } from "../../src/base/models.ts";

/** The caller closes it. */
export function openLocalEmbedder(): Embedder {
  return openEmbedder({ modelDirectory: findModelDirectory(null), runtime: { kind: "native" } });
}
