// The OpenAPI document, generated from the operation table that the router also uses. It must not contain anything
// about a particular operation.

import { ERROR_MEANINGS } from "../../http/edge-responses.ts";
import { type Operation, tierOf } from "../../http/operation.ts";
import type { PublicPath } from "../../http/response-shapes.ts";
import type { OpenApiDocument, OperationObject } from "./document-types.ts";
import { INFO, SECURITY_SCHEMES, TAGS } from "./overview.ts";
import { parametersOf } from "./parameters.ts";
import { contentOf, type Parts } from "./parts.ts";
import { publicResponsesOf, responsesOf } from "./responses.ts";
import { createSchemaWriter } from "./schemas.ts";

/** What the document describes. */
export interface Described {
  operations: readonly Operation[];
  publicPaths: readonly PublicPath[];
}

/** The document of a server whose public URL is `baseUrl`. */
export function openApiDocument({ operations, publicPaths }: Described, baseUrl: string): OpenApiDocument {
  const schemas = createSchemaWriter();
  const components: OpenApiDocument["components"] = {
    securitySchemes: SECURITY_SCHEMES,
    schemas: schemas.components,
    parameters: {},
    headers: {},
    responses: {},
  };
  const parts: Parts = { ...components, write: schemas.write };
  const paths: OpenApiDocument["paths"] = {};
  for (const operation of operations) {
    const path = publishedPath(operation);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, parts) };
  }
  for (const publicPath of publicPaths) {
    paths[publicPath.path] = { get: describePublicPath(publicPath, parts) };
  }
  const { responses } = components;
  const inOrder = Object.values(ERROR_MEANINGS).flatMap(({ name }) => {
    const response = responses[name];
    return response ? [[name, response] as const] : [];
  });
  const used = new Set([...operations, ...publicPaths].map(({ name }) => tagOf(name)));
  return {
    openapi: "3.1.1",
    info: INFO,
    servers: [{ url: baseUrl }],
    security: Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })),
    tags: Object.values(TAGS).filter(({ name }) => used.has(name)),
    paths,
    components: {
      ...components,
      responses: Object.fromEntries(inOrder),
    },
  };
}

/** An operation's path as it is published: `:id` becomes the parameter's name in braces. */
export function publishedPath({ path, idName = "id" }: Pick<Operation, "path" | "idName">): string {
  return path.replace(":id", `{${idName}}`);
}

function tagOf(operationName: string): string {
  const [group = operationName] = operationName.split(".");
  return TAGS[group]?.name ?? group;
}

/** The operation's name in camel case: `documents.versions` becomes `documentsVersions`. @testOnly */
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

function describePublicPath(publicPath: PublicPath, parts: Parts): OperationObject {
  const { name, summary, description } = publicPath;
  return {
    operationId: operationIdOf(name),
    tags: [tagOf(name)],
    summary,
    description,
    parameters: [],
    responses: publicResponsesOf(publicPath, parts),
    security: [],
  };
}
