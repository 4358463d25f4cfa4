// The completion script for fish.

import { type CompletionNode, type NamesKind, placePatterns } from "./tree.ts";

/** A text as one word of fish. */
const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** The script as text. */
export function fishScript(nodes: readonly CompletionNode[]): string {
  const namesOf = (kind: NamesKind) => quoted(`(__ctxrepo_names ${kind})`);
  const lines = nodes.flatMap(({ at, commands, flags, choices, names }) => {
    const start = `complete -c ctxrepo -n ${quoted(`__ctxrepo_at "${at}"`)}`;
    return [
      ...commands.map(({ name, description }) => `${start} -f -a ${name} -d ${quoted(description)}`),
      ...(choices.length > 0 ? [`${start} -f -a ${quoted(choices.join(" "))}`] : []),
      ...(names === undefined ? [] : [`${start} -f -a ${namesOf(names)}`]),
      ...flags.map(({ name, description, takesValue, choices: values, names: named, isPath }) => {
        const value = !takesValue
          ? ""
          : isPath
            ? " -r -F"
            : ` -x${named !== undefined ? ` -a ${namesOf(named)}` : values.length > 0 ? ` -a ${quoted(values.join(" "))}` : ""}`;
        return `${start} -l ${name.replace(/^--/, "")}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# fish completion of ctxrepo
function __ctxrepo_at
    set -l at ''
    for word in (commandline -opc)[2..]
        switch "$at/$word"
            case ${placePatterns(nodes).map(quoted).join(" ")}
                set at (string replace -r '^/' '' -- "$at/$word")
        end
    end
    test "$at" = "$argv[1]"
end
function __ctxrepo_names
    set -l words (commandline -opc)
    set -l options
    for i in (seq 2 (math (count $words) - 1))
        if contains -- $words[$i] --data-dir --user
            set -a options $words[$i] $words[(math $i + 1)]
        end
    end
    $words[1] completion names $argv[1] (commandline -ct | string unescape) $options 2>/dev/null
end
${lines.join("\n")}`;
}
