// Generated from the OpenAPI document: bun run types:console

export type Identity = {
    kind: 'apiKey' | 'session' | 'machine';
    userId: string;
    email: string;
    name?: string;
    /**
     * The scopes as granted. A write scope includes the read scope.
     */
    permissions: Array<string>;
};

export type ListedPrompt = {
    id: string;
    title: string;
    description: string;
    content: string;
    tags: Array<string>;
    isPublic: boolean;
    currentVersion: number;
    stats: {
        views: number;
        copies: number;
    };
    workspaceId?: string;
    /**
     * Epoch milliseconds.
     */
    updatedAt: number;
    /**
     * Only with `includeMetadata=true`.
     */
    metadata?: {
        [key: string]: unknown;
    };
};

export type Pagination = {
    /**
     * Send it as `cursor` to get the next page. Empty on the last page.
     */
    cursor: string;
    /**
     * Whether there is another page.
     */
    hasMore: boolean;
};

export type PromptCreate = {
    /**
     * Not blank, no NUL, at most 512 bytes (413 if larger).
     */
    title: string;
    /**
     * At most 16 kB (413 if larger).
     */
    description: string;
    /**
     * Not blank, at most 1 MB (413 if larger).
     */
    content: string;
    tags?: Array<string>;
    /**
     * At most 256 kB (413 if larger).
     */
    variables?: Array<{
        /**
         * Not blank, no NUL.
         */
        name: string;
        type: 'string' | 'number' | 'boolean';
        /**
         * What the variable is for.
         */
        description?: string;
    }>;
    /**
     * At most 256 kB (413 if larger).
     */
    parameters?: {
        [key: string]: unknown;
    };
    /**
     * At most 256 kB (413 if larger).
     */
    metadata?: {
        [key: string]: unknown;
    };
    /**
     * Whether other users may read the prompt.
     */
    isPublic?: boolean;
    /**
     * Collections to add the prompt to; all must exist and belong to the caller.
     */
    collectionIds?: Array<string>;
    /**
     * Not blank, no NUL, at most 128 bytes.
     */
    workspaceId?: string;
};

export type Prompt = {
    id: string;
    title: string;
    description: string;
    content: string;
    tags: Array<string>;
    variables: Array<{
        /**
         * Not blank, no NUL.
         */
        name: string;
        type: 'string' | 'number' | 'boolean';
        /**
         * What the variable is for.
         */
        description?: string;
    }>;
    parameters: {
        [key: string]: unknown;
    };
    metadata: {
        [key: string]: unknown;
    };
    isPublic: boolean;
    isArchived: boolean;
    currentVersion: number;
    stats: {
        views: number;
        copies: number;
    };
    workspaceId?: string;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    /**
     * Epoch milliseconds.
     */
    updatedAt: number;
};

export type ReadPrompt = {
    id: string;
    title: string;
    description: string;
    content: string;
    tags: Array<string>;
    variables: Array<{
        /**
         * Not blank, no NUL.
         */
        name: string;
        type: 'string' | 'number' | 'boolean';
        /**
         * What the variable is for.
         */
        description?: string;
    }>;
    parameters: {
        [key: string]: unknown;
    };
    metadata: {
        [key: string]: unknown;
    };
    isPublic: boolean;
    isArchived: boolean;
    currentVersion: number;
    stats: {
        views: number;
        copies: number;
    };
    workspaceId?: string;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    /**
     * Epoch milliseconds.
     */
    updatedAt: number;
    /**
     * The label that was asked for.
     */
    label?: string;
    /**
     * The version that has the label.
     */
    version?: number;
};

export type PromptUpdate = {
    /**
     * Not blank, no NUL, at most 512 bytes (413 if larger).
     */
    title?: string;
    /**
     * At most 16 kB (413 if larger).
     */
    description?: string;
    /**
     * Not blank, at most 1 MB (413 if larger).
     */
    content?: string;
    tags?: Array<string>;
    /**
     * At most 256 kB (413 if larger).
     */
    variables?: Array<{
        /**
         * Not blank, no NUL.
         */
        name: string;
        type: 'string' | 'number' | 'boolean';
        /**
         * What the variable is for.
         */
        description?: string;
    }>;
    /**
     * At most 256 kB (413 if larger).
     */
    parameters?: {
        [key: string]: unknown;
    };
    /**
     * At most 256 kB (413 if larger).
     */
    metadata?: {
        [key: string]: unknown;
    };
    /**
     * Whether other users may read the prompt.
     */
    isPublic?: boolean;
    /**
     * At most 16 kB (413 if larger).
     */
    changeLog?: string;
};

export type PromptVersion = {
    id: string;
    versionId: string;
    version: number;
    content: string;
    preview: string;
    changeLog?: string;
    userName?: string;
    /**
     * The label of the API key and the program that wrote the version, as far as they are known.
     */
    agent?: string;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    createdBy?: string;
    labels?: Array<string>;
};

export type PromptRestore = {
    /**
     * An id from the list of versions.
     */
    versionId: string;
};

export type RestoredPrompt = {
    id: string;
    title: string;
    description: string;
    content: string;
    variables: Array<{
        /**
         * Not blank, no NUL.
         */
        name: string;
        type: 'string' | 'number' | 'boolean';
        /**
         * What the variable is for.
         */
        description?: string;
    }>;
    parameters: {
        [key: string]: unknown;
    };
    metadata: {
        [key: string]: unknown;
    };
    isPublic: boolean;
    isArchived: boolean;
    currentVersion: number;
    stats: {
        views: number;
        copies: number;
    };
    workspaceId?: string;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    /**
     * Epoch milliseconds.
     */
    updatedAt: number;
};

export type ListedCollection = {
    id: string;
    name: string;
    description?: string;
    color?: string;
    icon?: string;
    isPublic: boolean;
    tags: Array<string>;
    itemCount: number;
    /**
     * Epoch milliseconds.
     */
    lastActivityAt: number;
};

export type CollectionCreate = {
    /**
     * Not blank, no NUL, at most 512 bytes (413 if larger).
     */
    name: string;
    /**
     * At most 16 kB (413 if larger).
     */
    description?: string;
    /**
     * `#rgb` or `#rrggbb`.
     */
    color?: string;
    /**
     * One character or emoji, at most 64 bytes.
     */
    icon?: string;
    /**
     * Whether other users may read the collection and its public prompts.
     */
    isPublic?: boolean;
    tags?: Array<string>;
    /**
     * The parent collection. It cannot be changed later.
     */
    parentCollectionId?: string;
    /**
     * Not blank, no NUL, at most 128 bytes.
     */
    workspaceId?: string;
};

export type Collection = {
    id: string;
    name: string;
    description?: string;
    color?: string;
    icon?: string;
    isPublic: boolean;
    tags: Array<string>;
    itemCount: number;
    /**
     * Epoch milliseconds.
     */
    lastActivityAt: number;
    parentCollectionId?: string;
    workspaceId?: string;
    stats?: {
        totalItems: number;
        documentCount: number;
        promptCount: number;
        topContributors: Array<{
            userId: string;
            name: string;
            count: number;
        }>;
    };
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    /**
     * Epoch milliseconds.
     */
    updatedAt: number;
};

export type CollectionUpdate = {
    /**
     * Not blank, no NUL, at most 512 bytes (413 if larger).
     */
    name?: string;
    /**
     * At most 16 kB (413 if larger).
     */
    description?: string;
    /**
     * `#rgb` or `#rrggbb`.
     */
    color?: string;
    /**
     * One character or emoji, at most 64 bytes.
     */
    icon?: string;
    /**
     * Whether other users may read the collection and its public prompts.
     */
    isPublic?: boolean;
    tags?: Array<string>;
    /**
     * Accepted only if it is the current parent, which cannot be changed.
     */
    parentCollectionId?: string;
};

export type CollectionItem = {
    itemType: 'document' | 'prompt';
    type: 'document' | 'prompt';
    itemId: string;
    id: string;
    title: string;
    summary: string | null;
    preview: string;
    /**
     * Only with `includeContent=true`.
     */
    content?: string;
    /**
     * Epoch milliseconds.
     */
    addedAt: number;
};

export type CollectionItems = {
    /**
     * Ids of documents or prompts; all must exist and belong to the caller.
     */
    itemIds: Array<string>;
    /**
     * What the ids refer to.
     */
    itemType: 'document' | 'prompt';
};

export type ListedDocument = {
    id: string;
    title: string;
    status: 'published' | 'draft' | 'archived' | 'processing' | 'completed' | 'failed';
    isArchived: boolean;
    tags: Array<string>;
    /**
     * Epoch milliseconds.
     */
    updatedAt: number;
    workspaceId?: string;
    /**
     * Only with `includeContent=true`.
     */
    content?: string;
    /**
     * Only with `includeMetadata=true`.
     */
    metadata?: {
        [key: string]: unknown;
    };
};

export type DocumentCreate = {
    /**
     * Not blank, no NUL, at most 512 bytes (413 if larger).
     */
    title: string;
    /**
     * At most 5 MB (413 if larger).
     */
    content: string;
    /**
     * At most 5 MB (413 if larger).
     */
    contentHtml?: string;
    /**
     * At most 5 MB (413 if larger).
     */
    rawHtml?: string;
    /**
     * How the document was created.
     */
    sourceType?: 'manual' | 'import';
    /**
     * An absolute http or https URI. At most 8 kB.
     */
    sourceUrl?: string;
    /**
     * At most 256 kB (413 if larger).
     */
    metadata?: {
        [key: string]: unknown;
    };
    tags?: Array<string>;
    /**
     * Not blank, no NUL, at most 128 bytes.
     */
    workspaceId?: string;
    /**
     * Collections to add the document to; all must exist and belong to the caller.
     */
    collectionIds?: Array<string>;
};

export type Acknowledgement = {
    id: string;
    revision: number;
    currentVersion: number;
    contentHash: string;
    /**
     * Epoch milliseconds.
     */
    lastChangedAt: number;
    /**
     * Whether the request changed nothing, so that there is no new revision.
     */
    noop: boolean;
};

export type Document = {
    id: string;
    title: string;
    status: 'published' | 'draft' | 'archived' | 'processing' | 'completed' | 'failed';
    isArchived: boolean;
    tags: Array<string>;
    content?: string;
    /**
     * Truncated at 2097152 bytes.
     */
    contentHtml?: string;
    /**
     * Truncated at 2097152 bytes.
     */
    rawHtml?: string;
    sourceType: 'manual' | 'scrape' | 'import';
    sourceUrl?: string;
    source?: {
        contentHash?: string;
        /**
         * Epoch milliseconds.
         */
        lastCheckedAt?: number;
        /**
         * Epoch milliseconds.
         */
        lastChangedAt?: number;
        lastRefreshError?: {
            code: string;
            message: string;
            /**
             * Epoch milliseconds.
             */
            at: number;
        };
    };
    revision: number;
    currentVersion: number;
    contentHash: string;
    /**
     * Epoch milliseconds.
     */
    lastChangedAt: number;
    metadata: {
        [key: string]: unknown;
    };
    workspaceId?: string;
    stats: {
        [key: string]: unknown;
    };
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    /**
     * Epoch milliseconds.
     */
    updatedAt: number;
};

export type DocumentUpdate = {
    /**
     * Not blank, no NUL, at most 512 bytes (413 if larger).
     */
    title?: string;
    /**
     * At most 5 MB (413 if larger).
     */
    content?: string;
    contentHtml?: string | null;
    rawHtml?: string | null;
    sourceUrl?: string | null;
    /**
     * At most 256 kB (413 if larger).
     */
    metadata?: {
        [key: string]: unknown;
    };
    tags?: Array<string>;
    /**
     * At most 16 kB (413 if larger).
     */
    changeLog?: string;
    status?: 'draft' | 'published' | 'archived';
    /**
     * The `revision` that the request applies to. If it is not the current one, the response is 412.
     */
    expectedRevision?: number;
};

export type DocumentVersion = {
    id: string;
    versionId: string;
    documentId: string;
    version: number;
    title: string;
    content: string;
    /**
     * Truncated at 2097152 bytes.
     */
    contentHtml?: string;
    preview: string;
    contentHash: string;
    snapshotCompleteness: 'complete' | 'synthetic' | 'legacy_partial';
    actor?: {
        kind: 'apiKey' | 'session' | 'machine';
        displayName: string;
        /**
         * The label of the API key and the program that wrote the version, as far as they are known.
         */
        agent?: string;
    };
    origin?: string;
    changeLog?: string;
    userName?: string;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    createdBy?: string;
};

export type DocumentRestore = {
    /**
     * An id from the list of versions.
     */
    versionId: string;
    /**
     * The `revision` that the request applies to. If it is not the current one, the response is 412.
     */
    expectedRevision?: number;
};

export type RestoreAcknowledgement = {
    id: string;
    revision: number;
    currentVersion: number;
    contentHash: string;
    /**
     * Epoch milliseconds.
     */
    lastChangedAt: number;
    /**
     * Whether the request changed nothing, so that there is no new revision.
     */
    noop: boolean;
    warnings?: Array<'LEGACY_PARTIAL_SNAPSHOT'>;
};

export type DocumentScrape = {
    /**
     * URL of the page, with http or https. Without `://`, `https://` is prefixed.
     */
    url: string;
    /**
     * Collections to add the document to; all must exist and belong to the caller.
     */
    collectionIds?: Array<string>;
    options?: {
        /**
         * Extract only the main text, without navigation and the like. `false` extracts the whole page.
         */
        onlyMainContent?: boolean;
        /**
         * Milliseconds to wait before fetching. The page's scripts are not run, so this is only a delay.
         */
        waitFor?: number;
        /**
         * Maximum duration of one attempt in milliseconds.
         */
        timeout?: number;
        /**
         * Additional request headers, at most 50 and 16 kB. They are sent only to the origin of the URL and are not stored, so a refresh does not send them. `Host` and headers that control the connection, the encoding, ranges or conditions are rejected.
         */
        headers?: {
            [key: string]: unknown;
        };
    };
};

export type EmptyBody = {
    [key: string]: never;
};

export type Coordination = {
    documentId: string;
    policy: 'standard' | 'lease_required';
    /**
     * Increases by 1 each time a lease is acquired.
     */
    fence: number;
    lease: {
        state: 'none' | 'held';
        heldByCaller?: boolean;
        /**
         * Only returned to the credential that holds the lease.
         */
        leaseId?: string;
        /**
         * Epoch milliseconds.
         */
        expiresAt?: number;
    };
    revision: number;
    currentVersion: number;
    contentHash: string;
};

export type LeaseRequest = {
    action: 'acquire' | 'renew' | 'release';
    /**
     * Lifetime of the lease in milliseconds. Without it, acquire uses 60000 and renew the previous value.
     */
    ttlMs?: number;
};

/**
 * The response to `acquire` and `renew`.
 */
export type Lease = {
    documentId: string;
    leaseId: string;
    fence: number;
    /**
     * Epoch milliseconds.
     */
    expiresAt: number;
    ttlMs: number;
};

/**
 * The response to `release`.
 */
export type Release = {
    documentId: string;
    released: true;
    fence: number;
};

export type ChunkSearch = {
    /**
     * Not blank, no NUL, at most 4000 characters.
     */
    query: string;
    /**
     * A session from `POST /v1/pd/session`. Chunks it has already returned are omitted.
     */
    sessionId?: string;
    /**
     * Maximum size of the returned contents, in tokens of 4 characters. The first result is always returned.
     */
    maxTokens?: number;
    /**
     * Maximum number of results. At most 50 are returned.
     */
    limit?: number;
    /**
     * `summary` returns about 200 characters of each chunk, `full` the whole chunk.
     */
    detailLevel?: 'summary' | 'full';
    /**
     * Search only in this document.
     */
    documentId?: string;
    /**
     * Search only in the documents of this collection.
     */
    collectionId?: string;
    /**
     * Only chunks with at least this score are returned. If it is absent and the query contains a phrase in quotes, it is 0.
     */
    scoreThreshold?: number;
};

export type FoundChunk = {
    chunkId: string;
    _id: string;
    documentId: string;
    documentTitle: string;
    level: 'paragraph' | 'section' | 'document';
    content: string;
    parentId: string | null;
    siblingIds: {
        prev: string | null;
        next: string | null;
    };
    /**
     * Position among all chunks of the document, from 0.
     */
    chunkIndex: number;
    headingText?: string;
    /**
     * The headings above the chunk, joined with ` > `.
     */
    sectionPath: string;
    wordCount: number;
    /**
     * Present if the record is archived; such records come last.
     */
    status?: 'archived';
    source?: {
        /**
         * Path of the imported file, relative to the folder that was imported.
         */
        path?: string;
        /**
         * URL of the page.
         */
        url?: string;
        /**
         * The headings above the text, joined with ` > `.
         */
        heading?: string;
        /**
         * The id of the innermost heading in the page: `url#anchor` leads to it.
         */
        anchor?: string;
        /**
         * The line of the document's `content` on which the text starts.
         */
        line?: number;
    };
    score: number;
};

export type ChunkExpand = {
    /**
     * The chunk to start from.
     */
    chunkId: string;
    /**
     * `up` returns the parent, `down` the children, `next` and `previous` one neighbour, `surrounding` the neighbours on both sides.
     */
    direction: 'up' | 'down' | 'next' | 'previous' | 'surrounding';
    /**
     * Neighbours on each side, for `surrounding`.
     */
    count?: number;
};

export type Chunk = {
    chunkId: string;
    _id: string;
    documentId: string;
    documentTitle: string;
    level: 'paragraph' | 'section' | 'document';
    content: string;
    parentId: string | null;
    siblingIds: {
        prev: string | null;
        next: string | null;
    };
    /**
     * Position among all chunks of the document, from 0.
     */
    chunkIndex: number;
    headingText?: string;
    /**
     * The headings above the chunk, joined with ` > `.
     */
    sectionPath: string;
    wordCount: number;
    /**
     * Present if the record is archived; such records come last.
     */
    status?: 'archived';
    source?: {
        /**
         * Path of the imported file, relative to the folder that was imported.
         */
        path?: string;
        /**
         * URL of the page.
         */
        url?: string;
        /**
         * The headings above the text, joined with ` > `.
         */
        heading?: string;
        /**
         * The id of the innermost heading in the page: `url#anchor` leads to it.
         */
        anchor?: string;
        /**
         * The line of the document's `content` on which the text starts.
         */
        line?: number;
    };
};

export type ReadChunk = {
    chunkId: string;
    _id: string;
    content: string;
    level: 'paragraph' | 'section' | 'document';
    hierarchy: {
        documentId: string;
        documentTitle: string;
        /**
         * The headings above the chunk, joined with ` > `.
         */
        sectionPath: string;
        position: {
            /**
             * Position among all chunks of the document, from 0.
             */
            chunkIndex: number;
            parentChunkId: string | null;
            prevSiblingId: string | null;
            nextSiblingId: string | null;
        };
    };
    metadata: {
        /**
         * Start of the chunk in the document's `content`, in UTF-16 units.
         */
        startIndex: number;
        /**
         * End of the chunk (exclusive), in UTF-16 units.
         */
        endIndex: number;
        wordCount: number;
        /**
         * The headings above the chunk, joined with ` > `.
         */
        sectionPath: string;
        headingText?: string;
    };
};

export type SessionCreate = {
    /**
     * Lifetime of the session in seconds.
     */
    ttl?: number;
};

export type Session = {
    sessionId: string;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    /**
     * Epoch milliseconds.
     */
    expiresAt: number;
};

export type ExplainedScore = {
    /**
     * The chunk that the score was computed for; absent if the document is not indexed yet.
     */
    chunkId?: string;
    /**
     * Cosine similarity of the query and the chunk's best window.
     */
    cosine?: number;
    /**
     * The cosine similarity, mapped to the scale of scores.
     */
    dense: number;
    /**
     * The BM25 score of the chunk, relative to the maximum that the query's words could reach.
     */
    lexical: number;
    /**
     * The least sum because the chunk contains all words of a short query, its phrase, or its codes; 0 otherwise.
     */
    exact: number;
    /**
     * Added because of similar chunks with high scores.
     */
    neighbours: number;
    /**
     * The weight of `dense`; `lexical` has the remaining weight. The sum is denseWeight × dense + (1 − denseWeight) × lexical + neighbours; the score is exact + (1 − exact) × sum, mapped to the scale on which the default threshold is 0.35.
     */
    denseWeight: number;
};

export type DocumentHit = {
    id: string;
    tags: Array<string>;
    score?: number;
    type: 'document';
    documentId: string;
    title: string;
    highlight: string;
    /**
     * The chunk that contains the text, if it is in an indexed document body.
     */
    chunkId?: string;
    /**
     * Present if the record is archived; such records come last.
     */
    status?: 'archived';
    source?: {
        /**
         * Path of the imported file, relative to the folder that was imported.
         */
        path?: string;
        /**
         * URL of the page.
         */
        url?: string;
        /**
         * The headings above the text, joined with ` > `.
         */
        heading?: string;
        /**
         * The id of the innermost heading in the page: `url#anchor` leads to it.
         */
        anchor?: string;
        /**
         * The line of the document's `content` on which the text starts.
         */
        line?: number;
    };
    explain?: ExplainedScore;
};

export type PromptHit = {
    id: string;
    tags: Array<string>;
    score?: number;
    type: 'prompt';
    promptId: string;
    title: string;
    description: string;
    explain?: {
        /**
         * Cosine similarity of the query and the prompt.
         */
        cosine: number;
    };
};

export type CollectionHit = {
    id: string;
    tags: Array<string>;
    score?: number;
    type: 'collection';
    collectionId: string;
    name: string;
    description?: string;
    color?: string;
    icon?: string;
    itemCount: number;
    explain?: {
        /**
         * The item of the collection that the score was computed for.
         */
        itemId: string;
    };
};

export type ReasonRequest = {
    /**
     * Not blank, no NUL, at most 4000 characters.
     */
    query: string;
    /**
     * Maximum number of chunks to answer from.
     */
    limit?: number;
    /**
     * Maximum size of the chunks to answer from, in tokens of 4 characters.
     */
    maxTokens?: number;
    /**
     * Answer only from this document.
     */
    documentId?: string;
    /**
     * Answer only from the documents of this collection.
     */
    collectionId?: string;
    /**
     * Answer only from documents with all of these tags.
     */
    tags?: Array<string>;
    /**
     * Answer only from files and pages at this path, as the operator `path:` of a search.
     */
    path?: string;
    /**
     * Add `trace`: what each step of the answer did.
     */
    explain?: boolean;
};

export type Citation = {
    chunkId: string;
    documentId: string;
    documentTitle: string;
    score: number;
    source?: {
        /**
         * Path of the imported file, relative to the folder that was imported.
         */
        path?: string;
        /**
         * URL of the page.
         */
        url?: string;
        /**
         * The headings above the text, joined with ` > `.
         */
        heading?: string;
        /**
         * The id of the innermost heading in the page: `url#anchor` leads to it.
         */
        anchor?: string;
        /**
         * The line of the document's `content` on which the text starts.
         */
        line?: number;
    };
};

export type AnswerBlock = {
    /**
     * `direct` and `computed` answer the part, `support` may add something, a `gap` is not answered, `related` is near it.
     */
    kind: 'direct' | 'support' | 'computed' | 'conflict' | 'gap' | 'related';
    /**
     * Index of the part of the question.
     */
    part: number;
    /**
     * Markdown with `[[chunkId]]` after each statement; of a gap, the part of the question.
     */
    text: string;
};

export type CitedAnswer = {
    /**
     * Markdown. Every statement is followed by the chunk that contains it, as `[[chunkId]]`.
     */
    answer: string;
    /**
     * Every chunk that `answer` and `conflicts` cite, in order of appearance.
     */
    citations: Array<Citation>;
    /**
     * Parts of the question that the documents do not answer.
     */
    gaps: Array<string>;
    /**
     * Pairs of statements that disagree, each citing both chunks as `[[chunkId]]`.
     */
    conflicts: Array<string>;
    /**
     * The pieces of `answer`, `gaps` and `conflicts`; absent if a language model wrote the answer.
     */
    blocks?: Array<AnswerBlock>;
    /**
     * What each step did, with `explain`.
     */
    trace?: Array<{
        step: string;
        lines: Array<string>;
    }>;
    meta: {
        /**
         * The ISO 639-1 code of the question's language, if it is known and not English.
         */
        language?: string;
        /**
         * Number of chunks that the answer could be taken from.
         */
        chunksGathered: number;
        /**
         * Number of citations removed because their chunk was not among them.
         */
        citationsDropped: number;
        latencyMs: number;
        /**
         * Number of the caller's records that are not completely indexed yet, so that results may be incomplete. Omitted if 0.
         */
        pending?: number;
        /**
         * Why the configured language model was not used.
         */
        fallback?: string;
    };
};

export type Health = {
    status: 'ok' | 'loading' | 'degraded';
    /**
     * Version of the server.
     */
    version: string;
    uptimeMs: number;
    jobs: {
        /**
         * Jobs that wait to be run. Once `queued` and `running` are both 0, all records are indexed.
         */
        queued: number;
        running: number;
        failed: number;
    };
    database: 'ok' | 'degraded';
    /**
     * State of the embedding model.
     */
    embedder: 'ok' | 'loading' | 'degraded';
    /**
     * Present if this server is a read-only twin of a remote; `pulledAt` is its last pull.
     */
    follows?: {
        remote: string;
        /**
         * Epoch milliseconds.
         */
        since: number;
        /**
         * Epoch milliseconds.
         */
        pulledAt?: number;
    };
    /**
     * What is wrong with the database, its disk or the embedding model, and what to do. Absent if nothing is.
     */
    problems?: Array<string>;
};

export type ProtectedResource = {
    resource: string;
    authorization_servers: Array<string>;
    scopes_supported: Array<string>;
    bearer_methods_supported: Array<string>;
};

export type AuthorizationServer = {
    issuer: string;
    jwks_uri?: string;
    scopes_supported?: Array<string>;
    grant_types_supported?: Array<string>;
    response_types_supported?: Array<string>;
    [key: string]: unknown;
};

export type KeySet = {
    keys: Array<{
        kty: string;
        alg?: string;
        kid?: string;
        [key: string]: unknown;
    }>;
};

/**
 * The name of the client. It is not declared as required, because most HTTP clients set it themselves. A request without it, or with the default of an HTTP library such as `axios/1.7`, is rejected with 403.
 */
export type UserAgent = string;

/**
 * 27 letters and digits.
 */
export type Id = string;

/**
 * Identifies this request for 24 hours. A retry with the same key and content returns the first response and is not executed again.
 */
export type IdempotencyKey = string;

/**
 * 27 letters and digits.
 */
export type ChunkId = string;

