// The capability manifest, a constant.

import { type TObject, Type } from "@sinclair/typebox";
import { type ResponseShape, text } from "../../http/response-shapes.ts";

export const CAPABILITIES = {
  prompts: {
    rest: true,
    list: true,
    get: true,
    create: true,
    update: true,
    delete: true,
    versions: true,
    searchQueryParam: true,
  },
  documents: {
    rest: true,
    list: true,
    get: true,
    create: true,
    update: true,
    delete: true,
    versions: true,
    scrape: true,
  },
  collections: {
    rest: true,
    list: true,
    get: true,
    create: true,
    update: true,
    delete: true,
    items: true,
  },
  search: { rest: true },
  progressiveDisclosure: { search: true, expand: true, read: true, session: true },
  reason: { rest: true },
  auth: { bearer: true, apiKey: true },
};

export const CACHE_CONTROL = "public, max-age=86400, s-maxage=86400";

/** The shape of CAPABILITIES: groups of booleans. */
const groups = Object.fromEntries(
  Object.entries(CAPABILITIES).map(([group, members]): [string, TObject] => [
    group,
    Type.Object(Object.fromEntries(Object.keys(members).map((name) => [name, Type.Boolean()]))),
  ]),
);

export const manifestResponse: ResponseShape = {
  body: Type.Object(
    { version: Type.String(), capabilities: Type.Object(groups) },
    { examples: [{ version: "1.0", capabilities: CAPABILITIES }] },
  ),
  headers: Type.Object({ "Cache-Control": text(CACHE_CONTROL) }),
};
