// The OpenAPI document is valid and matches the operation table. conformance.test.ts checks the server against it.

import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { openApiDocument, operationIdOf, publishedPath } from "../../src/site/openapi/document.ts";
import type {
  Header,
  OpenApiDocument,
  OperationObject,
  Parameter,
  ResponseObject,
} from "../../src/site/openapi/document-types.ts";
import type { JsonSchema } from "../../src/site/openapi/schemas.ts";
import { ERROR_MEANINGS, errorStatuses } from "../../src/http/edge-responses.ts";
import { STATUS } from "../../src/http/errors.ts";
import { tierOf } from "../../src/http/operation.ts";
import { DESCRIBED, OPERATIONS } from "../../src/operations.ts";
import { fromText, problemsWith, resolve } from "../helpers/json-schema.ts";

const BASE_URL = "https://ctx.example.org";
// Read back from JSON, as clients see it.
const document = JSON.parse(JSON.stringify(openApiDocument(DESCRIBED, BASE_URL))) as OpenApiDocument;

interface Entry {
  operation: OperationObject;
  method: string;
  path: string;
}
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Entry => ({ operation, method, path })),
);
const parametersOf = ({ parameters }: OperationObject) =>
  parameters.map((parameter) => resolve<Parameter>(document, parameter));
const responsesOf = ({ responses }: OperationObject) =>
  Object.entries(responses).map(([status, response]) => ({
    status: Number(status),
    ...resolve<ResponseObject>(document, response),
  }));

/** Every object in the document, with its location. */
function* walk(value: unknown, place = "#"): Generator<{ place: string; object: Record<string, unknown> }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { place, object: value as Record<string, unknown> };
  for (const [name, member] of Object.entries(value)) {
    // Examples are data: `$ref` in them is not a reference.
    if (!/^examples?$/.test(name)) yield* walk(member, `${place}/${name}`);
  }
}

describe("the document", () => {
  test("has a version, a server, a licence and a contact", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.servers).toEqual([{ url: BASE_URL }]);
    expect(document.info).toMatchObject({ title: "ctxrepo", license: { identifier: "MIT" } });
    expect(document.info).toHaveProperty("contact.name");
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("every reference has a target, and every component is used", () => {
    const references = [...walk(document)].flatMap(({ object }) =>
      typeof object.$ref === "string" ? [object.$ref] : [],
    );
    expect(references.length).toBeGreaterThan(500);
    for (const $ref of references) expect(() => resolve(document, { $ref })).not.toThrow();
    const { securitySchemes, ...components } = document.components;
    const made = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect(made.filter((place) => !references.includes(place))).toEqual([]);
    expect(Object.keys(securitySchemes)).toEqual(["apiKey", "bearer"]);
    expect(document.security).toEqual(Object.keys(securitySchemes).map((name) => ({ [name]: [] })));
  });

  test("component names are valid", () => {
    for (const named of Object.values(document.components)) {
      for (const name of Object.keys(named)) expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
    }
  });

  test("schemas contain nothing of TypeBox, and every pattern is a regular expression", () => {
    for (const { object } of walk(document)) {
      expect(object).not.toHaveProperty("$id");
      if (typeof object.pattern === "string")
        expect(() => new RegExp(object.pattern as string, "u")).not.toThrow();
    }
  });
});

test("every status of a failure is described", () => {
  // 405 is returned for paths, not by operations.
  const statuses = new Set(Object.values(STATUS).filter((status) => status !== 405));
  expect(Object.keys(ERROR_MEANINGS).map(Number)).toEqual([...statuses].sort());
});

describe("the operation table and the document", () => {
  test("contain the same operations", () => {
    const table = [
      ...OPERATIONS.map((operation) => `${operation.method} ${publishedPath(operation)}`),
      ...DESCRIBED.publicPaths.map(({ path }) => `GET ${path}`),
    ];
    const documented = described.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(documented.sort()).toEqual(table.sort());
    expect(new Set(described.map(({ operation }) => operation.operationId)).size).toBe(table.length);
  });

  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))("%s", (name, operation) => {
    const { operation: found } = described.find(
      ({ operation }) => operation.operationId === operationIdOf(name),
    )!;
    expect(found).toMatchObject({ summary: operation.summary, description: operation.description });
    expect(responsesOf(found).map(({ status }) => status)).toEqual([
      ...Object.keys(operation.responses).map(Number),
      ...errorStatuses(operation),
    ]);
    const { requires } = operation;
    expect(found["x-scopes"] ?? []).toEqual(typeof requires === "object" ? [...requires.anyOf] : []);
    expect(found.security).toEqual(requires === "public" ? [] : undefined);
    expect(found["x-rate-limit-tier"]).toBe(requires === "public" ? undefined : tierOf(operation));
    const keyed = parametersOf(found).some((parameter) => parameter.name === "Idempotency-Key");
    expect(keyed).toBe(operation.idempotency !== undefined);
    const query = parametersOf(found).filter((parameter) => parameter.in === "query");
    expect(query.map((parameter) => parameter.name)).toEqual(Object.keys(operation.query?.properties ?? {}));
    expect(found.requestBody !== undefined).toBe(operation.body !== undefined);
    if (operation.body) expect(Value.Check(operation.body, json(found.requestBody!).example)).toBe(true);
    for (const { status, content } of responsesOf(found)) {
      const { body } = operation.responses[status] ?? {};
      if (body) expect([...Value.Errors(body, json({ content }).example)]).toEqual([]);
      expect(content !== undefined).toBe(status >= 400 || body !== undefined);
    }
  });
});

const json = ({ content }: { content?: ResponseObject["content"] }) => content!["application/json"]!;

describe("generated clients", () => {
  test("no User-Agent is required", () => {
    const { required, schema } = document.components.parameters["User-Agent"]!;
    expect({ required, type: schema.type }).toEqual({ required: false, type: "string" });
  });

  test("a credential is an API key in the Authorization header or a bearer token", () => {
    expect(document.security).toEqual([{ apiKey: [] }, { bearer: [] }]);
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: "apiKey", in: "header", name: "Authorization" },
      bearer: { type: "http", scheme: "bearer" },
    });
  });

  test("the plain-text 403 has a media type of its own", () => {
    const { content } = document.components.responses.Forbidden!;
    // First, because some generators read only one, and JSON can be read as text.
    expect(Object.keys(content!)).toEqual(["text/plain", "application/json"]);
    expect(content!["application/json"]!.schema).toEqual({ $ref: "#/components/schemas/Error" });
    expect(content!["text/plain"]!.schema.type).toBe("string");
  });

  test("texts without NUL or commas have a pattern, entity tags no blanks, and tags are a list", () => {
    const { schemas } = document.components;
    expect(schemas.DocumentCreate!.properties!.title!.pattern).toBe("^[^\\u0000]*$");
    const tag = new RegExp(schemas.DocumentCreate!.properties!.tags!.items!.pattern as string);
    expect(["a b", "a,b", "a\0"].map((text) => tag.test(text))).toEqual([true, false, false]);
    const list = document.paths["/v1/documents"]!.get!;
    const tags = list.parameters.find((parameter) => "name" in parameter && parameter.name === "tags");
    expect(tags).toMatchObject({ style: "form", explode: false, schema: { type: "array" } });
    const update = document.paths["/v1/documents/{id}"]!.patch!;
    const ifMatch = update.parameters.find(
      (parameter) => "name" in parameter && parameter.name === "If-Match",
    );
    const etags = new RegExp((ifMatch as Parameter).schema.pattern as string);
    expect(['"a"', 'W/"a", "b"', "*", '"a b"', "a"].map((text) => etags.test(text))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test("a lease and a release each have a required member that the other does not have", () => {
    const operation = document.paths["/v1/documents/{id}/coordination/lease"]!.post!;
    const body = json(resolve<ResponseObject>(document, operation.responses[200])).schema;
    const [lease, release] = body.properties!.data!.oneOf!.map((one) => resolve<JsonSchema>(document, one));
    const onlyIn = (one: JsonSchema, other: JsonSchema) =>
      one.required!.filter((name) => !(name in other.properties!));
    expect(onlyIn(lease!, release!)).toEqual(["leaseId", "expiresAt", "ttlMs"]);
    expect(onlyIn(release!, lease!)).toEqual(["released"]);
  });

  test("every request body is a named schema", () => {
    for (const { operation } of described) {
      if (!operation.requestBody) continue;
      expect(json(operation.requestBody).schema.$ref).toMatch(/^#\/components\/schemas\/[A-Z][A-Za-z]+$/);
    }
  });

  test("headers and tags have patterns or a minimum length", () => {
    const headers = described
      .flatMap(({ operation }) => parametersOf(operation))
      .filter(({ in: place, name }) => place === "header" && name !== "User-Agent");
    expect(new Set(headers.map(({ name }) => name)).size).toBe(5);
    for (const { schema } of headers) expect(schema.pattern ?? schema.minLength).toBeDefined();
    for (const name of ["PromptCreate", "DocumentUpdate", "CollectionCreate"]) {
      expect(document.components.schemas[name]!.properties!.tags!.items!.minLength).toBe(1);
    }
  });

  test.each([
    ["*", true],
    ['"1f0d7a2b9c"', true],
    ['W/"weak", "x"', true],
    ["unquoted", false],
    ['"open', false],
    ["", false],
  ])("the pattern of If-Match on %p", (value, matches) => {
    const { paths } = document;
    const ifMatch = parametersOf(paths["/v1/documents/{id}"]!.patch!).find(
      ({ name }) => name === "If-Match",
    )!;
    expect(new RegExp(ifMatch.schema.pattern as string, "u").test(value)).toBe(matches);
  });

  test("the chunk's path parameter has the name in the specification", () => {
    const [parameter] = parametersOf(document.paths["/v1/pd/read/{chunkId}"]!.get!);
    expect(parameter).toMatchObject({ name: "chunkId", in: "path", required: true });
  });
});

describe.each(described.map((one) => [one.operation.operationId, one] as const))(
  "%s",
  (_id, { operation, path }) => {
    test("has the parameters of its path, and each parameter once", () => {
      const parameters = parametersOf(operation);
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const { required } of inPath) expect(required).toBe(true);
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name.toLowerCase()}`);
      expect(new Set(names).size).toBe(names.length);
      // The specification ignores these three as parameters.
      expect(names.filter((name) => /^header (accept|content-type|authorization)$/.test(name))).toEqual([]);
    });

    test("has a summary and a description", () => {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(operation.description).toMatch(/^[A-Z\W][\s\S]*\.$/);
    });

    test("belongs to a group with a description", () => {
      expect(operation.tags).toHaveLength(1);
      expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]!);
    });

    test("every response has a description, and every error of the API has the same body", () => {
      for (const { status, description, content } of responsesOf(operation)) {
        expect(description).not.toBe("");
        if (status < 400 || !path.startsWith("/v1/")) continue;
        const { schema, example } = json({ content });
        expect(schema).toEqual({ $ref: "#/components/schemas/Error" });
        expect((example as { error: { code: number } }).error.code).toBe(status);
      }
    });

    test("every example matches its schema without undeclared members", () => {
      const contents = [
        operation.requestBody?.content,
        ...responsesOf(operation).map(({ content }) => content),
      ];
      for (const { schema, example } of contents.flatMap((content) => Object.values(content ?? {}))) {
        expect(problemsWith(document, { schema, closed: true }, example)).toEqual([]);
      }
      const headers = responsesOf(operation).flatMap(({ headers }) => Object.values(headers));
      const texts = [
        ...parametersOf(operation),
        ...headers.map((header) => resolve<Header>(document, header)),
      ];
      for (const { schema } of texts) {
        for (const example of (schema as JsonSchema).examples ?? []) {
          expect(problemsWith(document, { schema }, fromText(schema, String(example)))).toEqual([]);
        }
      }
    });
  },
);
