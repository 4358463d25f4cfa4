// The placeholders `${name}` in prompts: finding and filling them.

const PLACEHOLDER = /\$\{([^${}\n]{1,100})\}/g;

/** What a placeholder looks like, for people. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is not a template
export const EXAMPLE_PLACEHOLDER = "${topic}";

/** The names of a prompt's placeholders, each once, in order. */
export function placeholdersIn(content: string): string[] {
  return [...new Set([...content.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim()))];
}

/** The prompt with values by name; a placeholder without a value remains. Values are not filled in again. */
export function fill(content: string, values: Readonly<Record<string, string>>): string {
  return content.replace(PLACEHOLDER, (placeholder, written: string) => {
    const name = written.trim();
    return Object.hasOwn(values, name) ? values[name]! : placeholder;
  });
}
