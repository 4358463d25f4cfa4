// What each limit of src/kernel/limits.ts applies to, for the generated table of docs/limits.md. The type requires an
// entry for every limit.

import type { LIMITS } from "../src/kernel/limits.ts";

type Meanings = { [Group in keyof typeof LIMITS]: Record<keyof (typeof LIMITS)[Group], string> };

/** A phrase for each limit, by group and name. */
export const LIMIT_MEANINGS: Meanings = {
  body: {
    bytes: "body of a request",
    depth: "levels of nested JSON in a body",
    values: "values in the JSON of a body",
    members: "names of members in the JSON of a body",
    pieces: "pieces in which a body arrives, such as the chunks of the chunked transfer encoding",
    inlineBytes:
      "body that is read in the thread that serves requests; a larger one is read in a worker thread",
    heldBytes:
      "bodies that arrive or wait to be read at the same time; a further one is rejected with status 429",
    heldBytesOfUser: "the same, of one user",
  },
  id: { characters: "an id in a body" },
  email: { bytes: "e-mail address of a user" },
  error: {
    pathCharacters: "a path in `error.details`; a longer one is cut",
    messageCharacters: "message of an error; a longer one is cut",
    problems: "problems in `error.details`",
  },
  message: {
    nameCharacters: "id and method of a message of MCP",
    values: "values and names in the parameters of a message of MCP, without `arguments` of a tool",
    textCharacters: "a text in these parameters",
    argumentCharacters: "a text in `arguments` of a message of MCP",
  },
  receipt: { bodyBytes: "response that is stored for an `Idempotency-Key`; a larger one is stored in short" },
  document: {
    textBytes: "`content`, `contentHtml` and `rawHtml` of a document, each",
    wireTextBytes: "text of a document or chunk in a response; longer text is truncated",
    chunks: "sections and paragraphs of a document; in a longer one, neighbours are joined",
  },
  title: { bytes: "title of a prompt or document, name of a collection" },
  description: { bytes: "description of a prompt or collection, and `changeLog`" },
  metadata: { bytes: "metadata of a record, as JSON" },
  frontMatter: {
    bytes: "front matter of an imported Markdown file",
    lines: "lines of front matter",
    members: "members of front matter, those of all its mappings and the items of its lists",
    depth: "depth of nesting in front matter",
  },
  tags: { count: "tags of a record", bytes: "one tag" },
  uri: { bytes: "`sourceUrl`, and the URL of a scrape" },
  workspaceId: { bytes: "label of a workspace" },
  list: {
    defaultLimit: "records of a page, without `limit`",
    maxLimit: "records of a page",
    responseBytes:
      "a page; it ends early with `hasMore` when it would be larger. Items with `includeContent` are no page: they are one response",
    contentCharacters: "text of a record in a list; longer text is truncated",
  },
  versions: {
    defaultLimit: "versions of a page, without `limit`",
    previewCharacters: "preview of a version",
    textBytes: "text of a version in a list; longer text is truncated",
  },
  prompt: { contentBytes: "content of a prompt" },
  pins: { perUser: "records that a user pins in the console" },
  labels: { perPrompt: "labels of a prompt", characters: "label of a version of a prompt" },
  parameters: { bytes: "parameters of a prompt, as JSON" },
  variables: { bytes: "variables of a prompt, as JSON" },
  collection: {
    itemIds: "ids in one request that adds or removes items",
    itemBytes: "text of an item with `includeContent`; longer text is truncated",
    iconBytes: "icon of a collection",
    depth: "levels of nested collections after one is moved",
  },
  query: {
    characters: "query of a search, or question",
    operators: 'operators and phrases of a query, such as `tag:x`, `-word` and `"exact phrase"`',
  },
  search: {
    defaultLimit: "results of each type, without `limit`",
    maxLimit: "results of each type",
    defaultThreshold: "minimum score by meaning, without `scoreThreshold`",
    candidates: "candidates of each ranking that are compared",
  },
  disclosure: {
    defaultLimit: "results of `/v1/pd/search`, without `limit`",
    maxLimit: "accepted as `limit` of `/v1/pd/search`",
    results: "results of `/v1/pd/search`, even with a larger `limit`",
    maxTokens: "`maxTokens` of `/v1/pd/search`; a token is 4 characters",
    defaultNeighbours: "neighbours on each side in `/v1/pd/expand`, without a number",
    maxNeighbours: "neighbours on each side in `/v1/pd/expand`",
  },
  searchSession: {
    defaultTtlS: "life of a search session, without a number",
    minTtlS: "shortest life of a search session",
    maxTtlS: "longest life of a search session",
    chunks: "chunks that a search session returns",
  },
  reason: {
    defaultLimit: "paragraphs for an answer, without `limit`",
    maxLimit: "paragraphs for an answer",
    defaultTokens: "tokens of paragraphs for an answer, without `maxTokens`",
    maxTokens: "tokens of paragraphs for an answer",
    modelTimeoutS: "time of a language model to answer",
    modelAnswerBytes: "response of a language model",
  },
  run: {
    promptBytes: "prompt with its values that the console sends to a language model",
    values: "values of a prompt that is run",
    timeoutS: "time of a language model to write what a prompt asks for",
    textBytes: "text that a language model writes for a prompt; more is cut",
    replyBytes: "what a language model's server sends for a prompt, with everything that is not shown",
  },
  headers: { bytes: "request line and headers" },
  requests: {
    waiting: "requests that wait for their turn; more are rejected with 429",
    waitingOfUser: "the same of one user",
  },
  responses: {
    unreadBytes:
      "responses in memory that clients have not read; with more, users who have such responses get no others",
    unreadBytesOfUser: "the same of one user",
    unreadS: "time after which a response of which nothing is read is broken off",
  },
  scrape: {
    maxWaitForMs: "`waitFor`: delay before the first attempt",
    minTimeoutMs: "shortest `timeout` of an attempt",
    maxTimeoutMs: "longest `timeout` of an attempt, and time of all attempts",
    headers: "number of additional request headers",
    headerBytes: "additional request headers, as JSON",
    openOfUser: "pages of one user that are fetched or wait for it; more are rejected with 429",
    openOfAll: "the same for all users",
  },
  fetch: {
    wireBytes: "page as transferred",
    decodedBytes: "page after decompression",
    ratio: "how many times larger a page may be after decompression",
    ratioAboveBytes: "size from which that ratio is checked",
    pieces: "pieces in which a page arrives",
  },
  highlight: { characters: "excerpt of a search result" },
};
