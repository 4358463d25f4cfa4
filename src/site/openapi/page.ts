// The API reference as one HTML page, generated from the OpenAPI document. It has no scripts and loads nothing.

import { curlOf } from "./curl.ts";
import type {
  OpenApiDocument,
  OperationObject,
  Parameter,
  Reference,
  ResponseObject,
} from "./document-types.ts";
import { type Html, html, line, prose } from "./html.ts";
import { STYLE } from "./style.ts";
import { membersOf, resolve, table } from "./tables.ts";

/** One operation of the document. */
interface Entry {
  operation: OperationObject;
  method: string;
  path: string;
}

/** The page as text. */
export function renderPage(document: OpenApiDocument): string {
  const { info, tags, components } = document;
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ operation, method, path })),
  );
  const groups = tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} ${info.version}: API reference</title>
${STYLE}
</head>
<body>
<nav aria-label="Contents">
<a href="#top">${info.title} ${info.version}</a>
${groups.map(
  (group) => html`<h2>${group.name}</h2>
<ul>${group.entries.map(
    ({ operation, method }) =>
      html`<li><a href="#${operation.operationId}">${operation.summary}</a> ${methodOf(method)}</li>\n`,
  )}</ul>`,
)}
</nav>
<main id="top">
<h1>${info.title}</h1>
<p class="quiet">${info.summary}. Server: <code>${baseUrlOf(document)}</code>. <a href="/openapi.json">OpenAPI document</a></p>
${prose(info.description)}
<h2>Credentials</h2>
<table><tbody>${Object.entries(components.securitySchemes).map(
    ([name, { description }]) => html`<tr><td><code>${name}</code></td><td>${line(description)}</td></tr>\n`,
  )}</tbody></table>
${groups.map(
  (group) => html`<h2>${group.name}</h2>
<p>${line(group.description)}</p>
${group.entries.map((entry) => section(document, entry))}`,
)}
<h2>Errors</h2>
<p>All errors have the same body. Some have no <code>details</code>.</p>
${Object.entries(components.responses).map(([name, response]) => errorSection(name, response))}
</main>
</body>
</html>
`;
  return page.markup;
}

const baseUrlOf = ({ servers }: OpenApiDocument) => servers.at(0)?.url ?? "";

const methodOf = (method: string) => html`<span class="method ${method}">${method.toUpperCase()}</span>`;

function section(document: OpenApiDocument, { operation, method, path }: Entry): Html {
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(document, parameter));
  const body = operation.requestBody?.content["application/json"];
  const curl = curlOf({ operation, method, url: baseUrlOf(document) + path, parameters });
  return html`<section id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
<h3 id="${operation.operationId}-title">${operation.summary}</h3>
<p>${methodOf(method)} <code>${path}</code></p>
<p class="quiet">${line(access(operation))}</p>
${prose(operation.description)}
<h4>Parameters</h4>
${table(parameters.map((parameter) => ({ ...parameter, name: `${parameter.name} (${parameter.in})` })))}
${
  body &&
  html`<h4>Body</h4>
${table(membersOf(document, body.schema))}`
}
<h4>Request</h4>
<pre tabindex="0"><code>${curl}</code></pre>
<h4>Responses</h4>
${Object.entries(operation.responses).map(([status, response]) => responseOf(document, status, response))}
</section>
`;
}

function access(operation: OperationObject): string {
  if (operation.security) return "No credential is required.";
  const scopes = operation["x-scopes"]?.map((scope) => `\`${scope}\``).join(" or ") ?? "any valid credential";
  return `Requires ${scopes}. Rate-limit tier: \`${operation["x-rate-limit-tier"]}\`.`;
}

/** A response of the operation itself, or a link to a shared error. */
function responseOf(document: OpenApiDocument, status: string, response: ResponseObject | Reference): Html {
  if ("$ref" in response) {
    const name = response.$ref.split("/").at(-1);
    return html`<a href="#${name}"><code>${status}</code></a> `;
  }
  const [media] = Object.values(response.content ?? {});
  return html`<details>
<summary><code>${status}</code> ${line(response.description)}</summary>
${media && exampleIn(media.example)}
${media && Number(status) < 300 ? table(membersOf(document, media.schema)) : undefined}
${headersOf(response)}
</details>
`;
}

function errorSection(name: string, response: ResponseObject): Html {
  const examples = Object.values(response.content ?? {}).map(({ example }) => exampleIn(example));
  return html`<section id="${name}">
<h3>${name}</h3>
<p>${line(response.description)}</p>
${examples}
</section>
`;
}

function exampleIn(example: unknown): Html {
  const text = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

/** The response's own headers. Those that every response has are listed in the introduction. */
function headersOf({ headers }: ResponseObject): Html {
  const own = Object.entries(headers).flatMap(([name, header]) =>
    "$ref" in header ? [] : [{ name, ...header }],
  );
  return own.length === 0 ? html`` : html`<h4>Headers</h4>${table(own)}`;
}
