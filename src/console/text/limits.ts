// Lengths of texts up to which the page stays fast, in UTF-16 units.

/** Longer texts are shown as source: rendering them would make the page slow. */
export const MAX_RENDERED_UNITS = 1_000_000;

/** Longer texts cannot be edited: the API truncates them when it returns them. */
export const MAX_EDITED_UNITS = 2_000_000;
