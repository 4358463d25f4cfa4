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

/** A list in one parameter, separated by commas. Repeating the parameter is accepted, too. */
const LIST = {
  style: "form",
  explode: false,
  schema: { type: "array", items: { type: "string", pattern: "^[^,\\u0000]*$" } },
} as const;

function parametersIn(
  place: "query" | "header",
  shape: NonNullable<Operation["query"]>,
  { write }: Parts,
): Parameter[] {
  return Object.entries(shape.properties).map(([name, member]) => {
    const { description, "x-repeatable": isRepeatable, ...written } = write(member);
    const { schema, ...style } = isRepeatable ? LIST : { schema: written };
    const required = written.default === undefined && (shape.required ?? []).includes(name);
    const mayBeEmpty = place === "query" && emptyIsAbsent(member);
    return {
      name,
      in: place,
      required,
      description,
      ...(mayBeEmpty && { allowEmptyValue: true }),
      ...style,
      schema,
    };
  });
}
