// The query parameters that lists and searches share. Their effect is implemented where rows are read.

import { Type } from "@sinclair/typebox";
import { filterText } from "./shape.ts";

/** `tags`; `parseTagFilter` parses it. */
export const tagFilter = Type.Optional(
  Type.String({
    "x-repeatable": true,
    description:
      "Tags, separated by commas, or the parameter repeated for each. Only records that have all of them are returned.",
  }),
);

/** `path`. */
export const pathFilter = Type.Optional({
  ...filterText("path or URL"),
  description:
    "Only records of files and pages at this path are returned: the start of a path or URL, or of the part after any `/` in it, ignoring case.",
});

/** `workspace`. */
export const workspaceFilter = Type.Optional(
  Type.String({ description: "Only records with this `workspaceId` are returned." }),
);

/** `includePublic`. */
export const includePublic = Type.Boolean({
  default: false,
  description: "Also return public records of other users.",
});

/** `includeMetadata`. */
export const includeMetadata = Type.Boolean({
  default: false,
  description: "Also return the metadata of each record.",
});
