// The OpenAPI document is sound in itself and says of every operation what the table says. Whether the server does what it
// says is for conformance.test.ts.

import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import {
  type AnswerObject,
  type Header,
  type OpenApiDocument,
  type OperationObject,
  openApiDocument,
  operationIdOf,
  type Parameter,
} from "../../src/features/openapi/document.ts";
import type { JsonSchema } from "../../src/features/openapi/schemas.ts";
import { ERROR_MEANINGS, errorStatuses } from "../../src/http/edge-answers.ts";
import { STATUS } from "../../src/http/errors.ts";
import { tierOf } from "../../src/http/operation.ts";
import { OPERATIONS } from "../../src/operations.ts";
import { fromText, problemsWith, resolve } from "../helpers/json-schema.ts";

const BASE_URL = "https://ctx.example.org";
// What is published: JSON, read back.
const document = JSON.parse(JSON.stringify(openApiDocument(OPERATIONS, BASE_URL))) as OpenApiDocument;

interface Described {
  operation: OperationObject;
  method: string;
  path: string;
}
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Described => ({ operation, method, path })),
);
const parametersOf = ({ parameters }: OperationObject) =>
  parameters.map((parameter) => resolve<Parameter>(document, parameter));
const answersOf = ({ responses }: OperationObject) =>
  Object.entries(responses).map(([status, answer]) => ({
    status: Number(status),
    ...resolve<AnswerObject>(document, answer),
  }));

/** Every object in the document, with the place where it stands. */
function* walk(value: unknown, place = "#"): Generator<{ place: string; object: Record<string, unknown> }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { place, object: value as Record<string, unknown> };
  for (const [name, member] of Object.entries(value)) {
    // Examples are data: what looks like a reference in them is none.
    if (!/^examples?$/.test(name)) yield* walk(member, `${place}/${name}`);
  }
}

describe("the document", () => {
  test("names its version, its server and a licence", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.servers).toEqual([{ url: BASE_URL }]);
    expect(document.info).toMatchObject({ title: "ctxrepo", license: { identifier: "MIT" } });
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("every reference leads somewhere, and every component is referred to", () => {
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
    expect(Object.keys(securitySchemes).sort()).toEqual([
      "apiKey",
      "machineToken",
      "managedToken",
      "oauthToken",
      "sessionToken",
    ]);
    expect(document.security).toEqual(Object.keys(securitySchemes).map((name) => ({ [name]: [] })));
  });

  test("component names are those that the specification allows", () => {
    for (const named of Object.values(document.components)) {
      for (const name of Object.keys(named)) expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
    }
  });

  test("schemas hold nothing of TypeBox, and every pattern is a regular expression", () => {
    for (const { object } of walk(document)) {
      expect(object).not.toHaveProperty("$id");
      if (typeof object.pattern === "string")
        expect(() => new RegExp(object.pattern as string, "u")).not.toThrow();
    }
  });
});

test("every status that a failure can become has a meaning", () => {
  // No operation answers 405: it belongs to the paths.
  const statuses = new Set(Object.values(STATUS).filter((status) => status !== 405));
  expect(Object.keys(ERROR_MEANINGS).map(Number)).toEqual([...statuses].sort());
});

describe("the table and the document", () => {
  test("the same operations stand in both", () => {
    const table = OPERATIONS.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, "{$1}")}`);
    const documented = described.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(documented.sort()).toEqual(table.sort());
    expect(new Set(described.map(({ operation }) => operation.operationId)).size).toBe(OPERATIONS.length);
  });

  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))("%s", (name, operation) => {
    const { operation: found } = described.find(
      ({ operation }) => operation.operationId === operationIdOf(name),
    )!;
    expect(found.summary).toBe(operation.summary);
    expect(answersOf(found).map(({ status }) => status)).toEqual([
      ...Object.keys(operation.answers).map(Number),
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
    if (operation.body) expect(Value.Check(operation.body, bodyOf(found).example)).toBe(true);
    for (const { status, content } of answersOf(found)) {
      const { body } = operation.answers[status] ?? {};
      if (body) expect([...Value.Errors(body, content!["application/json"].example)]).toEqual([]);
      expect(content !== undefined).toBe(status >= 400 || body !== undefined);
    }
  });
});

const bodyOf = (operation: OperationObject) => operation.requestBody!.content["application/json"];

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

    test("belongs to a group that is described", () => {
      expect(operation.tags).toHaveLength(1);
      expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]);
    });

    test("every answer is described, and every error has the one body", () => {
      for (const { status, description, content } of answersOf(operation)) {
        expect(description).not.toBe("");
        if (status < 400) continue;
        const { schema, example } = content!["application/json"];
        expect(schema).toEqual({ $ref: "#/components/schemas/Error" });
        expect((example as { error: { code: number } }).error.code).toBe(status);
      }
    });

    test("every example fits its schema, without a member too many", () => {
      const contents = [
        operation.requestBody?.content,
        ...answersOf(operation).map(({ content }) => content),
      ];
      for (const { schema, example } of contents.flatMap((content) => Object.values(content ?? {}))) {
        expect(problemsWith(document, schema, example, true)).toEqual([]);
      }
      const headers = answersOf(operation).flatMap((answer) => Object.values(answer.headers));
      const texts = [
        ...parametersOf(operation),
        ...headers.map((header) => resolve<Header>(document, header)),
      ];
      for (const { schema } of texts) {
        for (const example of (schema as JsonSchema).examples ?? []) {
          expect(problemsWith(document, schema, fromText(schema, String(example)))).toEqual([]);
        }
      }
    });
  },
);
