// The environment of the programs that commands start: editor, pager, browser, clipboard.

/**
 * The environment of this process without the variables that change its runtime: they are not meant for other programs.
 */
export function childEnvironment(): Record<string, string | undefined> {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _runtime, ...others } = process.env;
  return others;
}
