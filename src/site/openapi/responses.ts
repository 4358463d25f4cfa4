// The responses of an operation in the OpenAPI document: its own, and the errors and headers of the edge.

import { STATUS_CODES } from "node:http";
import {
  ERROR_MEANINGS,
  edgeHeaders,
  errorBody,
  errorStatuses,
  userAgentRejectionBody,
} from "../../http/edge-responses.ts";
import type { Operation } from "../../http/operation.ts";
import type { PublicPath, ResponseShape } from "../../http/response-shapes.ts";
import type { Header, OperationObject, Reference, ResponseObject } from "./document-types.ts";
import { contentOf, type Parts } from "./parts.ts";

/** Success responses by status, then error responses. */
export function responsesOf(operation: Operation, parts: Parts): OperationObject["responses"] {
  const successes = Object.entries(operation.responses).map(([status, { body, headers }]) => {
    const own = headersOf(headers, parts);
    const shared = sharedHeaders(operation, Number(status), parts);
    return [status, { ...responseOf(status, { body }, parts), headers: { ...own, ...shared } }] as const;
  });
  const errors = errorStatuses(operation).map((status) => {
    const { name } = ERROR_MEANINGS[status]!;
    const response = errorResponseOf(operation, status, parts);
    // Public operations have fewer headers. All others share their errors.
    if (operation.requires === "public") return [status, response] as const;
    parts.responses[name] = response;
    return [status, { $ref: `#/components/responses/${name}` }] as const;
  });
  return Object.fromEntries<ResponseObject | Reference>([...successes, ...errors]);
}

/** Public paths are only protected by the Host and Origin checks. */
const FOREIGN_HOST = {
  description: "The `Host` or `Origin` header is not one of this server's.",
  message: "this Host is not served here (allow it with --allow-host)",
};

/** The responses of a public path outside `/v1`. */
export function publicResponsesOf({ responses }: PublicPath, parts: Parts): Record<string, ResponseObject> {
  const { description, message } = FOREIGN_HOST;
  const rejection: ResponseObject = {
    description,
    headers: {},
    content: {
      "application/json": { schema: parts.write(errorBody), example: { error: { code: 403, message } } },
    },
  };
  const own = Object.entries(responses).map(([status, reply]) => {
    return [status, { ...responseOf(status, reply, parts), headers: headersOf(reply.headers, parts) }];
  });
  return { ...Object.fromEntries(own), 403: rejection };
}

function responseOf(status: string, { body }: ResponseShape, parts: Parts): Omit<ResponseObject, "headers"> {
  return {
    description: STATUS_CODES[status] ?? status,
    ...(body && { content: contentOf(body, parts) }),
  };
}

function errorResponseOf(operation: Operation, status: number, parts: Parts): ResponseObject {
  const { meaning, example } = ERROR_MEANINGS[status]!;
  return {
    description: meaning,
    headers: sharedHeaders(operation, status, parts),
    content: {
      // Some generators read only the first type. As text, both bodies can be read.
      ...(status === 403 && {
        "text/plain": contentOf(userAgentRejectionBody, parts)["application/json"],
      }),
      "application/json": {
        schema: parts.write(errorBody),
        example: { error: { code: status, ...example } },
      },
    },
  };
}

function headersOf(shape: Operation["headers"], { write }: Parts): Record<string, Header> {
  const members = Object.entries(shape?.properties ?? {}).map(([name, member]): [string, Header] => {
    const { description, ...schema } = write(member);
    return [name, { required: (shape?.required ?? []).includes(name), description, schema }];
  });
  return Object.fromEntries(members);
}

/** The headers that the edge adds. Those that are always sent are components. */
function sharedHeaders(
  operation: Operation,
  status: number,
  parts: Parts,
): Record<string, Header | Reference> {
  const own = Object.keys(operation.responses[status]?.headers?.properties ?? {});
  const headers = Object.entries(headersOf(edgeHeaders(operation, status), parts));
  const described = headers
    .filter(([name]) => !own.includes(name))
    .map(([name, header]): [string, Header | Reference] => {
      if (!header.required) return [name, header];
      parts.headers[name] = header;
      return [name, { $ref: `#/components/headers/${name}` }];
    });
  return Object.fromEntries(described);
}
