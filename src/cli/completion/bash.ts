// The completion script for bash, also for version 3.2 of macOS.

import { type CompletionNode, type NamesKind, placePatterns, shellQuoted } from "./tree.ts";

/** The script as text. Where it proposes nothing, bash proposes file names. */
export function bashScript(nodes: readonly CompletionNode[]): string {
  const proposal = (words: readonly string[], names: NamesKind | undefined) =>
    `words=${shellQuoted(words.join(" "))}${names === undefined ? "" : ` names=${names}`} ;;`;
  const values = nodes.flatMap(({ at, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ name, choices, names }) => `    ${shellQuoted(`${at} ${name}`)}) ${proposal(choices, names)}`),
  );
  const places = nodes.map(({ at, commands, flags, choices, names }) => {
    const words = [...commands.map(({ name }) => name), ...choices, ...flags.map(({ name }) => name)];
    return `      ${shellQuoted(at)}) ${proposal(words, names)}`;
  });
  return `# bash completion of ctxrepo
_ctxrepo() {
  local at= words= names= word name i
  local typed=\${COMP_WORDS[COMP_CWORD]}
  local -a options
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$at/$word" in
      ${placePatterns(nodes).map(shellQuoted).join("|")}) at=\${at:+$at/}$word ;;
      */--data-dir|*/--user) options+=("$word" "\${COMP_WORDS[i+1]}") ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
    *)
      case "$at" in
${places.map((line) => `  ${line}`).join("\n")}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
  # Names are quoted for the shell. After an opening quote, only those are proposed that need no more quoting.
  if [[ -n $names && $typed != -* ]]; then
    local plain='^[[:alnum:] ._,/()&+-]*$' quote=
    case $typed in
      [\\"\\']*) quote=1 typed=\${typed:1} ;;
      *) IFS= read typed <<< "$typed" ;;
    esac
    while IFS= read -r name; do
      if [[ -z $quote ]]; then COMPREPLY+=("$(printf %q "$name")")
      elif [[ $name =~ $plain ]]; then COMPREPLY+=("$name")
      fi
    done < <("\${COMP_WORDS[0]}" completion names "$names" "$typed" "\${options[@]}" 2>/dev/null)
  fi
}
complete -o default -F _ctxrepo ctxrepo`;
}
