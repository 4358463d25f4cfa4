// The OpenAPI document, made from the table of operations that the router reads too. It must not know any one operation.

import { STATUS_CODES } from "node:http";
import { id } from "../../http/answers.ts";
import {
  ERROR_MEANINGS,
  edgeHeaders,
  edgeRequestHeaders,
  errorBody,
  errorStatuses,
  userAgentRefusalBody,
} from "../../http/edge-answers.ts";
import { type Operation, tierOf } from "../../http/operation.ts";
import { emptyIsAbsent } from "../../http/query.ts";
import { INFO, SECURITY_SCHEMES, TAGS } from "./overview.ts";
import { createSchemaWriter, exampleOf, type JsonSchema, type SchemaWriter } from "./schemas.ts";

export interface Reference {
  $ref: string;
}
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  allowEmptyValue?: true;
  schema: JsonSchema;
}
export interface Header {
  required: boolean;
  description?: string;
  schema: JsonSchema;
}
export type Content = Record<string, { schema: JsonSchema; example: unknown }>;
export interface AnswerObject {
  description: string;
  headers: Record<string, Header | Reference>;
  content?: Content;
}
export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, AnswerObject | Reference>;
  security?: [];
  /** The credential needs one of them; absent where any credential will do. */
  "x-scopes"?: readonly string[];
  "x-rate-limit-tier"?: string;
}
export interface OpenApiDocument {
  openapi: string;
  info: typeof INFO;
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    securitySchemes: typeof SECURITY_SCHEMES;
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, AnswerObject>;
  };
}

/** The document of a server that clients reach at `baseUrl`. */
export function openApiDocument(operations: readonly Operation[], baseUrl: string): OpenApiDocument {
  const schemas = createSchemaWriter();
  const components: OpenApiDocument["components"] = {
    securitySchemes: SECURITY_SCHEMES,
    schemas: schemas.components,
    parameters: { id: pathId },
    headers: {},
    responses: {},
  };
  const paths: OpenApiDocument["paths"] = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/, "{$1}");
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = describe(operation, {
      ...components,
      write: schemas.write,
    });
  }
  const { responses } = components;
  const inOrder = Object.values(ERROR_MEANINGS).filter(({ name }) => name in responses);
  const used = new Set(operations.map(({ name }) => tagOf(name)));
  return {
    openapi: "3.1.1",
    info: INFO,
    servers: [{ url: baseUrl }],
    security: Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })),
    tags: Object.values(TAGS).filter(({ name }) => used.has(name)),
    paths,
    components: {
      ...components,
      responses: Object.fromEntries(inOrder.map(({ name }) => [name, responses[name]])),
    },
  };
}

/** Where shared parts are put while operations are described. */
type Parts = Omit<OpenApiDocument["components"], "schemas"> & Pick<SchemaWriter, "write">;

const pathId: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "27 letters and digits.",
  schema: { type: "string", pattern: id.pattern, examples: id.examples },
};

function tagOf(operationName: string): string {
  const [group] = operationName.split(".");
  return TAGS[group]?.name ?? group;
}

/** `documents.versions` as an identifier: `documentsVersions`. */
export function operationIdOf(name: string): string {
  return name.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function describe(operation: Operation, parts: Parts): OperationObject {
  const { name, summary, description, requires, body } = operation;
  return {
    operationId: operationIdOf(name),
    tags: [tagOf(name)],
    summary,
    description,
    parameters: parametersOf(operation, parts),
    ...(body && {
      requestBody: {
        required: !operation.bodyMayBeEmpty,
        content: contentOf(body, parts),
      },
    }),
    responses: responsesOf(operation, parts),
    ...(requires === "public" ? { security: [] } : { "x-rate-limit-tier": tierOf(operation) }),
    ...(typeof requires === "object" && { "x-scopes": requires.anyOf }),
  };
}

function parametersOf(operation: Operation, parts: Parts): OperationObject["parameters"] {
  const own = operation.headers ? parametersIn("header", operation.headers, parts) : [];
  const shared = parametersIn("header", edgeRequestHeaders(operation), parts).filter(
    ({ name }) => !own.some((parameter) => parameter.name === name),
  );
  for (const parameter of shared) parts.parameters[parameter.name] = parameter;
  return [
    ...(operation.path.includes(":id") ? [{ $ref: "#/components/parameters/id" }] : []),
    ...(operation.query ? parametersIn("query", operation.query, parts) : []),
    ...own,
    ...shared.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function parametersIn(
  place: "query" | "header",
  shape: NonNullable<Operation["query"]>,
  { write }: Parts,
): Parameter[] {
  return Object.entries(shape.properties).map(([name, member]) => {
    const { description, ...schema } = write(member);
    const required = schema.default === undefined && (shape.required ?? []).includes(name);
    const mayBeEmpty = place === "query" && emptyIsAbsent(member);
    return { name, in: place, required, description, ...(mayBeEmpty && { allowEmptyValue: true }), schema };
  });
}

function contentOf(schema: JsonSchema, { write }: Parts): Content {
  const { examples: _shownBeside, ...written } = write(schema);
  return { "application/json": { schema: written, example: exampleOf(schema) } };
}

function responsesOf(operation: Operation, parts: Parts): OperationObject["responses"] {
  const successes = Object.entries(operation.answers).map(([status, { body, headers }]) => {
    const answer: AnswerObject = {
      description: STATUS_CODES[status] ?? status,
      headers: {
        ...headersOf(headers, parts),
        ...sharedHeaders(operation, Number(status), Object.keys(headers?.properties ?? {}), parts),
      },
      ...(body && { content: contentOf(body, parts) }),
    };
    return [status, answer] as const;
  });
  const errors = errorStatuses(operation).map((status) => {
    const { name } = ERROR_MEANINGS[status];
    const answer = errorAnswerOf(operation, status, parts);
    // Without authentication there are fewer headers; all other operations share their errors.
    if (operation.requires === "public") return [status, answer] as const;
    parts.responses[name] = answer;
    return [status, { $ref: `#/components/responses/${name}` }] as const;
  });
  return Object.fromEntries<AnswerObject | Reference>([...successes, ...errors]);
}

function errorAnswerOf(operation: Operation, status: number, parts: Parts): AnswerObject {
  const { meaning, example } = ERROR_MEANINGS[status];
  return {
    description: meaning,
    headers: sharedHeaders(operation, status, [], parts),
    content: {
      "application/json": {
        schema: parts.write(errorBody),
        example: { error: { code: status, ...example } },
      },
      ...(status === 403 && {
        "text/plain": { schema: parts.write(userAgentRefusalBody), example: userAgentRefusalBody.const },
      }),
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

/** The headers of the edge but those that the operation sets itself; what is always there is a component. */
function sharedHeaders(
  operation: Operation,
  status: number,
  own: string[],
  parts: Parts,
): Record<string, Header | Reference> {
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
