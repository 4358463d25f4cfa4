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
      .map(({ name, choices, names, isPath }) => {
        const known = choices.length > 0 ? `compadd -- ${choices.join(" ")}` : ":";
        const propose = isPath ? "_files" : names !== undefined ? `_ctxrepo_names ${names}` : known;
        return `    ${shellQuoted(`${at} ${name}`)}) ${propose}; return ;;`;
      }),
  );
  const places = nodes.map(({ at, commands, flags, choices, names }) => {
    const lines = [
      commands.length > 0 ? `items=(${described(commands)}); _describe command items` : "",
      choices.length > 0 ? `compadd -- ${choices.join(" ")}` : "",
      `items=(${described(flags)}); _describe -o option items`,
      names !== undefined ? `_ctxrepo_names ${names}` : "",
      commands.length === 0 && choices.length === 0 && names === undefined ? "_files" : "",
    ];
    return `    ${shellQuoted(at)})\n${lines
      .filter((line) => line !== "")
      .map((line) => `      ${line}`)
      .join("\n")} ;;`;
  });
  return `#compdef ctxrepo
# zsh completion of ctxrepo
_ctxrepo_names() {
  local -a names options
  local i
  for ((i = 2; i < CURRENT - 1; i++)); do
    case $words[i] in
      --data-dir|--user) options+=("\${(Q)words[i]}" "\${(Q)words[i+1]}") ;;
    esac
  done
  names=("\${(@f)$("\${(Q)words[1]}" completion names $1 "\${(Q)PREFIX}" $options 2>/dev/null)}")
  (( $#names )) && [[ -n $names[1] ]] && compadd -U -- $names
}
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
