// Which earlier models' vectors are still searched.

import { expect, test } from "bun:test";
import { ensureSpace, otherSpacesInUse } from "../../../src/retrieval/generations/generations.ts";
import { putPromptVector } from "../../../src/retrieval/search/prompts.ts";
import { openSmallIndex, unit } from "./small-index.ts";

test("spaces of live generations and of prompts, except the given one", () => {
  const index = openSmallIndex();
  const { store } = index;
  const [current, documents, prompts] = ["current", "documents", "prompts", "unused"].map((revision) =>
    store.write((write) =>
      ensureSpace(write, { name: "m", revision, dimension: 384, directory: "/nowhere" }),
    ),
  );
  if (!current || !documents || !prompts) throw new Error("a space is missing");
  const found = () => otherSpacesInUse(store, current.id).map(({ revision }) => revision);
  expect(found()).toEqual([]);
  index.add({ id: "d1", spaceId: current.id, paragraphs: [] });
  index.add({ id: "d2", spaceId: documents.id, paragraphs: [] });
  putPromptVector(store.sql, { promptId: "p", spaceId: prompts.id, textHash: "", vector: unit(1) });
  expect(found()).toEqual(["documents", "prompts"]);
  index.retire("d2");
  expect(found()).toEqual(["prompts"]);
  index.close();
});
