// The limits of inputs, responses and loops that the spec and the contract set, and their defaults. 1 kB = 1024 bytes.

const KB = 1024;
const MB = 1024 * KB;

/** Limits by subject; the names contain the units. */
export const LIMITS = {
  body: {
    bytes: 40 * MB,
    depth: 64,
    values: 100_000,
    members: 10_000,
    pieces: 100_000,
    /** Larger ones are read in a worker thread. */
    inlineBytes: 32 * KB,
    heldBytes: 512 * MB,
    heldBytesOfUser: 256 * MB,
  },
  id: { characters: 200 },
  email: { bytes: 254 },
  error: { pathCharacters: 200, messageCharacters: 1_000, problems: 20 },
  /** Messages of MCP. `arguments` of a tool may be longer than a document, so that the tool says what to do. */
  message: { nameCharacters: 200, values: 400, textCharacters: 64 * KB, argumentCharacters: 8 * MB },
  receipt: { bodyBytes: 64 * KB },
  document: { textBytes: 5 * MB, wireTextBytes: 2 * MB, chunks: 10_000 },
  title: { bytes: 512 },
  description: { bytes: 16 * KB },
  metadata: { bytes: 256 * KB },
  /**
   * YAML at the start of an imported Markdown file. `members` counts those of all mappings and the items of all lists.
   */
  frontMatter: { bytes: 64 * KB, lines: 4_000, members: 1_000, depth: 32 },
  tags: { count: 100, bytes: 128 },
  uri: { bytes: 8 * KB },
  workspaceId: { bytes: 128 },
  list: { defaultLimit: 20, maxLimit: 100, responseBytes: 8 * MB, contentCharacters: 2_000 },
  versions: { defaultLimit: 100, previewCharacters: 200, textBytes: 2 * MB },
  prompt: { contentBytes: MB },
  labels: { perPrompt: 20, characters: 40 },
  pins: { perUser: 100 },
  parameters: { bytes: 256 * KB },
  variables: { bytes: 256 * KB },
  collection: { itemIds: 500, itemBytes: 2 * MB, iconBytes: 64, depth: 64 },
  query: { characters: 4_000, operators: 16 },
  search: { defaultLimit: 10, maxLimit: 50, defaultThreshold: 0.35, candidates: 256 },
  /** Progressive disclosure: the operations under /v1/pd/. */
  disclosure: {
    defaultLimit: 10,
    maxLimit: 100,
    results: 50,
    maxTokens: 100_000,
    defaultNeighbours: 2,
    maxNeighbours: 25,
  },
  searchSession: { defaultTtlS: 1_800, minTtlS: 60, maxTtlS: 86_400, chunks: 10_000 },
  reason: {
    defaultLimit: 8,
    maxLimit: 50,
    defaultTokens: 6_000,
    maxTokens: 100_000,
    modelTimeoutS: 45,
    modelAnswerBytes: 256 * KB,
  },
  /** Running a prompt in the console. `replyBytes` counts all that the model's server sends, also what is not shown. */
  run: { promptBytes: 2 * MB, values: 200, timeoutS: 600, textBytes: 256 * KB, replyBytes: 32 * MB },
  headers: { bytes: 64 * KB },
  requests: { waiting: 1_024, waitingOfUser: 256 },
  responses: { unreadBytes: 64 * MB, unreadBytesOfUser: 8 * MB, unreadS: 60 },
  scrape: {
    maxWaitForMs: 10_000,
    minTimeoutMs: 1_000,
    maxTimeoutMs: 30_000,
    headers: 50,
    headerBytes: 16 * KB,
    openOfUser: 100,
    openOfAll: 1_000,
  },
  fetch: { wireBytes: 10 * MB, decodedBytes: 20 * MB, ratio: 100, ratioAboveBytes: MB, pieces: 100_000 },
  highlight: { characters: 200 },
} as const;

/** Length of every stored and every query vector. */
export const EMBEDDING_DIMENSION = 1536;
