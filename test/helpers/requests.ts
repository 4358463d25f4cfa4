// Requests that are generated from the OpenAPI document, and the comparison of replies with it.

import fc from "fast-check";
import type {
  Header,
  OpenApiDocument,
  OperationObject,
  Parameter,
  ResponseObject,
} from "../../src/site/openapi/document-types.ts";
import { fitting, headersOf, queryOf } from "./generate.ts";
import { fromText, problemsWith, resolve } from "./json-schema.ts";
import type { Reply } from "./start.ts";
import type { Sent, World } from "./world.ts";

/** An operation of the document. */
export interface Target {
  operation: OperationObject;
  method: string;
  path: string;
  parameters: Parameter[];
}

/** The operation with this method, in lower case, and path template. */
export function targetOf(document: OpenApiDocument, method: string, path: string): Target {
  const operation = document.paths[path]![method]!;
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(document, parameter));
  return { operation, method: method.toUpperCase(), path, parameters };
}

export interface Generated {
  pick: number;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body?: Record<string, unknown>;
  credential: number;
}

/** Adapts requests that match the schemas to the rules that the document only states in words. */
const IN_WORDS: Record<string, (request: Generated) => void> = {
  search({ query }) {
    query.q = query.query ??= query.q ?? "water";
  },
  promptsList({ query }) {
    if (query.q !== undefined && query.search !== undefined) query.search = query.q;
  },
  documentsScrape({ body }) {
    const { options } = (body ?? {}) as { options?: { headers?: object } };
    if (options?.headers) options.headers = { "X-Own": "value" };
  },
  collectionsUpdate({ body }) {
    delete body?.parentCollectionId;
  },
};

/** Requests that the document allows, with placeholders for ids, ETags and the like. */
export function requestsFor(
  document: OpenApiDocument,
  { operation, parameters }: Target,
): fc.Arbitrary<Generated> {
  const { requestBody, operationId } = operation;
  const body = requestBody && fitting(document, requestBody.content["application/json"]!.schema);
  return fc
    .record({
      pick: fc.nat(999),
      query: queryOf(document, parameters),
      headers: headersOf(parameters),
      credential: fc.nat(9),
      ...(body && {
        body: (requestBody.required ? body : fc.option(body, { nil: undefined })) as fc.Arbitrary<object>,
      }),
    })
    .map((generated) => {
      const request = { ...generated, query: { ...generated.query } } as Generated;
      IN_WORDS[operationId]?.(request);
      return request;
    });
}

/** Replaces placeholders in a request with ids, ETags and the like of existing records. */
export async function completed(
  { world, credentials }: { world: World; credentials: readonly string[] },
  { method, path }: Target,
  { pick, query, headers, body, credential }: Generated,
  ownOnly = false,
): Promise<{ sent: Sent; id: string | undefined }> {
  const id = path.includes("{") ? await world.idFor(path, pick, ownOnly) : undefined;
  const filled = (await world.fill(query, id, ownOnly)) as Record<string, string>;
  const pairs = Object.entries(filled).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const sent: Sent = {
    method,
    target: path.replace(/\{\w+\}/, id ?? "") + (pairs.length > 0 ? `?${pairs.join("&")}` : ""),
    headers: {
      Authorization: credentials[credential % credentials.length]!,
      ...((await world.fill(headers, id, ownOnly)) as Record<string, string>),
    },
    ...(body !== undefined && { body: JSON.stringify(await world.fill(body, id, ownOnly)) }),
  };
  return { sent, id };
}

/** How a response differs from the document. A success must not have undeclared members. */
export function problemsOf(
  document: OpenApiDocument,
  { operation, method }: Target,
  { status, headers, body }: Reply,
): string[] {
  const declared = operation.responses[status];
  if (!declared) return [`the status ${status} is not declared`];
  const response = resolve<ResponseObject>(document, declared);
  const problems: string[] = [];
  for (const [name, written] of Object.entries(response.headers)) {
    const { required, schema } = resolve<Header>(document, written);
    const value = headers.get(name);
    if (value === null && required) problems.push(`the header ${name} is missing`);
    else if (value !== null && problemsWith(document, { schema }, fromText(schema, value)).length > 0) {
      problems.push(`the header ${name} is ${value}`);
    }
  }
  if (!response.content) return body === "" ? problems : [...problems, "there is a body"];
  const type = headers.get("content-type") ?? "none";
  const media = response.content[type];
  if (!media) problems.push(`the Content-Type ${type} is not declared`);
  else if (method === "HEAD") problems.push(...(body === "" ? [] : ["HEAD has a body"]));
  else {
    problems.push(...problemsWith(document, { schema: media.schema, closed: status < 300 }, body));
    if (type === "application/json" && status >= 400 && body.error.code !== status)
      problems.push("error.code differs from the status");
  }
  return problems;
}
