// The completion script for zsh, to be sourced or stored as `_ctxrepo` in a folder of `fpath`.

import { type CompletionNode, placePatterns, shellQuoted } from "./tree.ts";

/** The script as text. */
export function zshScript(nodes: readonly CompletionNode[]): string {
  const described = (items: readonly { name: string; description: string }[]) =>
    items
      .map(({ name, description }) => shellQuoted(`${name}:${description.replaceAll(":", "\\:")}`))
      .join(" ");
  const values = nodes.flatMap(({ at, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ name, choices, isPath }) => {
        const propose = isPath ? "_files" : choices.length > 0 ? `compadd -- ${choices.join(" ")}` : ":";
        return `    ${shellQuoted(`${at} ${name}`)}) ${propose}; return ;;`;
      }),
  );
  const places = nodes.map(({ at, commands, flags, choices }) => {
    const lines = [
      commands.length > 0 ? `items=(${described(commands)}); _describe command items` : "",
      choices.length > 0 ? `compadd -- ${choices.join(" ")}` : "",
      `items=(${described(flags)}); _describe -o option items`,
      commands.length === 0 && choices.length === 0 ? "_files" : "",
    ];
    return `    ${shellQuoted(at)})\n${lines
      .filter((line) => line !== "")
      .map((line) => `      ${line}`)
      .join("\n")} ;;`;
  });
  return `#compdef ctxrepo
# zsh completion of ctxrepo
_ctxrepo() {
  local at= word i
  local -a items
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case "$at/$word" in
      ${placePatterns(nodes).map(shellQuoted).join("|")}) at=\${at:+$at/}$word ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${values.join("\n")}
  esac
  case "$at" in
${places.join("\n")}
  esac
}
if [[ "$funcstack[1]" == _ctxrepo ]]; then _ctxrepo "$@"; else compdef _ctxrepo ctxrepo; fi`;
}
