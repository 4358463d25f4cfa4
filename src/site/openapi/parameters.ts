// The request parameters of an operation in the OpenAPI document.

import { edgeRequestHeaders } from "../../http/edge-responses.ts";
import type { Operation } from "../../http/operation.ts";
import { emptyIsAbsent } from "../../http/query.ts";
import { id } from "../../http/response-shapes.ts";
import type { OperationObject, Parameter } from "./document-types.ts";
import type { Parts } from "./parts.ts";

const pathParameter = (name: string): Parameter => ({
  name,
  in: "path",
  required: true,
  description: "27 letters and digits.",
  schema: { type: "string", pattern: id.pattern, examples: id.examples },
});

/** Path, query and header parameters. Those that operations share become components. */
export function parametersOf(operation: Operation, parts: Parts): OperationObject["parameters"] {
  const own = operation.headers ? parametersIn("header", operation.headers, parts) : [];
  const shared = parametersIn("header", edgeRequestHeaders(operation), parts).filter(
    ({ name }) => !own.some((parameter) => parameter.name === name),
  );
  const inPath = operation.path.includes(":id") ? [pathParameter(operation.idName ?? "id")] : [];
  for (const parameter of [...inPath, ...shared]) parts.parameters[parameter.name] = parameter;
  const reference = ({ name }: Parameter) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...inPath.map(reference),
    ...(operation.query ? parametersIn("query", operation.query, parts) : []),
    ...own,
    ...shared.map(reference),
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
