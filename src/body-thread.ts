// What the worker thread for large bodies serves: the shapes of all operations, and the messages of MCP.

import { consoleApi } from "./features/console/routes.ts";
import { joined } from "./http/body.ts";
import { noParameters } from "./http/operation.ts";
import { type ParsedBody, parseBody } from "./http/parse-body.ts";
import type { BodyThread, ParsedMessage } from "./http/read-body.ts";
import { parseMessage } from "./mcp/message.ts";
import { OPERATIONS } from "./operations.ts";

type Sent<Name extends keyof BodyThread> = Parameters<BodyThread[Name]>[0];

export type BodyApi = ReturnType<typeof serveBodies>;

/** The functions of BodyThread. */
export function serveBodies() {
  const operations = new Map([...OPERATIONS, ...consoleApi].map((operation) => [operation.name, operation]));
  return {
    parseBody({ operation, blocks, repeated }: Sent<"parseBody">): ParsedBody {
      const found = operations.get(operation);
      if (!found) throw new Error(`there is no operation ${operation}`);
      const { body = noParameters, bodyMayBeEmpty } = found;
      return parseBody({ body, bodyMayBeEmpty }, { bytes: joined(blocks), repeated });
    },
    parseMessage: ({ blocks }: Sent<"parseMessage">): ParsedMessage => parseMessage(joined(blocks)),
  };
}
