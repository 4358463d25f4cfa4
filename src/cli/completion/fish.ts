// The completion script for fish.

import { type CompletionNode, placePatterns } from "./tree.ts";

/** A text as one word of fish. */
const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** The script as text. */
export function fishScript(nodes: readonly CompletionNode[]): string {
  const lines = nodes.flatMap(({ at, commands, flags, choices }) => {
    const start = `complete -c ctxrepo -n ${quoted(`__ctxrepo_at "${at}"`)}`;
    return [
      ...commands.map(({ name, description }) => `${start} -f -a ${name} -d ${quoted(description)}`),
      ...(choices.length > 0 ? [`${start} -f -a ${quoted(choices.join(" "))}`] : []),
      ...flags.map(({ name, description, takesValue, choices: values, isPath }) => {
        const value = !takesValue
          ? ""
          : isPath
            ? " -r -F"
            : ` -x${values.length > 0 ? ` -a ${quoted(values.join(" "))}` : ""}`;
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
${lines.join("\n")}`;
}
