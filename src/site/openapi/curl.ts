// A curl command for an operation, built from its examples.

import type { OperationObject, Parameter } from "./document-types.ts";
import { exampleOf } from "./schemas.ts";

const LINE_CHARACTERS = 100;

/** One request: the operation with its references resolved, and the full URL of its path. */
interface Example {
  operation: OperationObject;
  method: string;
  url: string;
  parameters: Parameter[];
}

/**
 * A curl command with the API key in `$KEY`, the required parameters, query parameters that have an example, and the
 * body.
 */
export function curlOf({ operation, method, url, parameters }: Example): string {
  const { requestBody, security } = operation;
  const required = parameters.filter((parameter) => parameter.required);
  const exampleFor = ({ schema }: Parameter) => String(exampleOf(schema));
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.schema.examples)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleFor(parameter))}`);
  const target = required
    .filter((parameter) => parameter.in === "path")
    .reduce((path, parameter) => path.replace(`{${parameter.name}}`, exampleFor(parameter)), url);
  const headers = required
    .filter((parameter) => parameter.in === "header")
    .map((parameter) => `${parameter.name}: ${exampleFor(parameter)}`);
  const body = requestBody?.content["application/json"]?.example;
  const parts = [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${quoted([target, ...(query.length > 0 ? [query.join("&")] : [])].join("?"))}`,
    ...(security ? [] : ['-H "Authorization: API-Key $KEY"']),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(body === undefined ? [] : [`-d ${quoted(formatted(body))}`]),
  ];
  return parts.join(" \\\n  ");
}

/** JSON on one line, or indented if it is long. */
function formatted(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= LINE_CHARACTERS ? line : JSON.stringify(body, null, 2);
}

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
