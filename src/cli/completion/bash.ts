// The completion script for bash, also for version 3.2 of macOS.

import { type CompletionNode, placePatterns, shellQuoted } from "./tree.ts";

/** The script as text. Where it proposes nothing, bash proposes file names. */
export function bashScript(nodes: readonly CompletionNode[]): string {
  const values = nodes.flatMap(({ at, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ name, choices }) =>
          `    ${shellQuoted(`${at} ${name}`)}) words=${shellQuoted(choices.join(" "))} ;;`,
      ),
  );
  const places = nodes.map(({ at, commands, flags, choices }) => {
    const words = [...commands.map(({ name }) => name), ...choices, ...flags.map(({ name }) => name)];
    return `      ${shellQuoted(at)}) words=${shellQuoted(words.join(" "))} ;;`;
  });
  return `# bash completion of ctxrepo
_ctxrepo() {
  local at= words= word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$at/$word" in
      ${placePatterns(nodes).map(shellQuoted).join("|")}) at=\${at:+$at/}$word ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
    *)
      case "$at" in
${places.map((line) => `  ${line}`).join("\n")}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _ctxrepo ctxrepo`;
}
