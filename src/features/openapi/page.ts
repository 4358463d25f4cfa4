// The reference as one page of HTML, made from the OpenAPI document alone: no script, no image, nothing to fetch.

import { curlOf } from "./curl.ts";
import type { AnswerObject, OpenApiDocument, OperationObject, Parameter, Reference } from "./document.ts";
import { type Html, html, line, prose } from "./html.ts";
import { STYLE } from "./style.ts";
import { membersOf, resolve, table } from "./tables.ts";

interface Place {
  operation: OperationObject;
  method: string;
  path: string;
}

/** The whole page. */
export function renderPage(document: OpenApiDocument): string {
  const { info, tags, servers, components } = document;
  const places = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Place => ({ operation, method, path })),
  );
  const groups = tags.map((tag) => ({
    ...tag,
    places: places.filter(({ operation }) => operation.tags.includes(tag.name)),
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
<ul>${group.places.map(
    ({ operation, method }) =>
      html`<li><a href="#${operation.operationId}">${operation.summary}</a> ${methodOf(method)}</li>\n`,
  )}</ul>`,
)}
</nav>
<main id="top">
<h1>${info.title}</h1>
<p class="quiet">${info.summary}. Server: <code>${servers[0].url}</code>. <a href="/openapi.json">OpenAPI document</a></p>
${prose(info.description)}
<h2>Credentials</h2>
<table><tbody>${Object.entries(components.securitySchemes).map(
    ([name, { description }]) => html`<tr><td><code>${name}</code></td><td>${line(description)}</td></tr>\n`,
  )}</tbody></table>
${groups.map(
  (group) => html`<h2>${group.name}</h2>
<p>${line(group.description)}</p>
${group.places.map((place) => section(document, place))}`,
)}
<h2>Errors</h2>
<p>The body is always the same; <code>details</code> is there where it helps.</p>
${Object.entries(components.responses).map(([name, answer]) => errorSection(name, answer))}
</main>
</body>
</html>
`;
  return page.markup;
}

const methodOf = (method: string) => html`<span class="method ${method}">${method.toUpperCase()}</span>`;

function section(document: OpenApiDocument, { operation, method, path }: Place): Html {
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(document, parameter));
  const body = operation.requestBody?.content["application/json"];
  const curl = curlOf(operation, method, document.servers[0].url + path, parameters);
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
<h4>Answers</h4>
${Object.entries(operation.responses).map(([status, answer]) => answerOf(document, status, answer))}
</section>
`;
}

function access(operation: OperationObject): string {
  if (operation.security) return "Public.";
  const scopes = operation["x-scopes"]?.map((scope) => `\`${scope}\``).join(" or ") ?? "any valid credential";
  return `Needs ${scopes}. Counted by the \`${operation["x-rate-limit-tier"]}\` limit.`;
}

/** An answer of the operation's own, or the way to the error that many share. */
function answerOf(document: OpenApiDocument, status: string, answer: AnswerObject | Reference): Html {
  if ("$ref" in answer) {
    const name = answer.$ref.split("/").at(-1);
    return html`<a href="#${name}"><code>${status}</code></a> `;
  }
  const [media] = Object.values(answer.content ?? {});
  return html`<details>
<summary><code>${status}</code> ${line(answer.description)}</summary>
${media && exampleIn(media.example)}
${media && Number(status) < 300 ? table(membersOf(document, media.schema)) : undefined}
${headersOf(answer)}
</details>
`;
}

function errorSection(name: string, answer: AnswerObject): Html {
  const examples = Object.values(answer.content ?? {}).map(({ example }) => exampleIn(example));
  return html`<section id="${name}">
<h3>${name}</h3>
<p>${line(answer.description)}</p>
${examples}
</section>
`;
}

function exampleIn(example: unknown): Html {
  const text = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

/** The headers of this answer alone: what every answer carries stands in the document and in the introduction. */
function headersOf({ headers }: AnswerObject): Html {
  const own = Object.entries(headers).flatMap(([name, header]) =>
    "$ref" in header ? [] : [{ name, ...header }],
  );
  return own.length === 0 ? html`` : html`<h4>Headers</h4>${table(own)}`;
}
