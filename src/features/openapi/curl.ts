// A request that can be pasted into a shell, made of an operation's examples.

import type { OperationObject, Parameter } from "./document.ts";
import { exampleOf } from "./schemas.ts";

const LINE_CHARACTERS = 100;

/** A curl command with the key in `$KEY`: what is required, query parameters that have an example, and the body. */
export function curlOf(
  { requestBody, security }: OperationObject,
  method: string,
  url: string,
  parameters: Parameter[],
): string {
  const required = parameters.filter((parameter) => parameter.required);
  const given = ({ schema }: Parameter) => String(exampleOf(schema));
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.schema.examples)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(given(parameter))}`);
  const target = required
    .filter((parameter) => parameter.in === "path")
    .reduce((path, parameter) => path.replace(`{${parameter.name}}`, given(parameter)), url);
  const headers = required
    .filter((parameter) => parameter.in === "header" && parameter.name !== "User-Agent")
    .map((parameter) => `${parameter.name}: ${given(parameter)}`);
  const body = requestBody?.content["application/json"].example;
  const parts = [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${quoted([target, ...(query.length > 0 ? [query.join("&")] : [])].join("?"))}`,
    ...(security ? [] : ['-H "Authorization: API-Key $KEY"']),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(body === undefined ? [] : [`-d ${quoted(readable(body))}`]),
  ];
  return parts.join(" \\\n  ");
}

/** JSON on one line, or on many when it is long. */
function readable(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= LINE_CHARACTERS ? line : JSON.stringify(body, null, 2);
}

/** One word of a POSIX shell, whatever stands in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
