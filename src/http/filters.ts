// The query parameters that lists and searches share. Their effect is implemented where rows are read.

import { Type } from "@sinclair/typebox";

/** `tags`; `parseTagFilter` parses it. */
export const tagFilter = Type.Optional(
  Type.String({ description: "Tags, separated by commas. Only records that have all of them are returned." }),
);

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
