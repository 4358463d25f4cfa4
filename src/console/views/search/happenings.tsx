// What each agent has done since a moment, and what agents have asked without finding it.

import type { AgentSummary, Happened, OpenQuestion } from "../../../features/console/replies.ts";
import { messageOf, write } from "../../api/request.ts";
import { may } from "../../api/session.ts";
import { notify } from "../../frame/notices.tsx";
import { Author } from "../../parts/agent.tsx";
import { Time } from "../../parts/controls.tsx";
import { type Loaded, useRead } from "../../parts/load.ts";

const GATHER_MS = 2_000;

const COLUMNS = [
  ["written", "Written"],
  ["changed", "Changed"],
  ["deleted", "Deleted"],
  ["read", "Read"],
  ["searched", "Searched"],
  ["asked", "Asked"],
] as const satisfies readonly (readonly [keyof AgentSummary, string])[];

/** What has happened since a version; "" counts everything that is stored. */
export const useHappened = (since: string) =>
  useRead<Happened>(`/console/api/happened${since === "" ? "" : `?since=${encodeURIComponent(since)}`}`, {
    concerns: () => true,
    gatherMs: GATHER_MS,
  });

export function Happenings({ happened: { value, reload } }: { happened: Loaded<Happened> }) {
  if (!value) return null;
  return (
    <>
      {value.agents.length > 0 && <Agents agents={value.agents} isLogged={value.isLogged} />}
      {value.questions.length > 0 && <Questions questions={value.questions} reload={reload} />}
    </>
  );
}

/** Reads are counted only while they are recorded. */
function Agents({ agents, isLogged }: { agents: AgentSummary[]; isLogged: boolean }) {
  const shown = isLogged ? COLUMNS : COLUMNS.slice(0, 2);
  return (
    <div class="table agents">
      <table>
        <caption class="hidden">What each agent and person has done</caption>
        <thead>
          <tr>
            <th scope="col">Who</th>
            {shown.map(([member, name]) => (
              <th scope="col" class="number" key={member}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {agents.map((summary) => (
            <tr key={`${summary.agent} ${summary.kind} ${summary.name}`}>
              <th scope="row">
                <Author {...summary} />
              </th>
              {shown.map(([member]) => (
                <td class="number" key={member}>
                  {summary[member] === 0 ? "" : summary[member].toLocaleString("en")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Questions({ questions, reload }: { questions: OpenQuestion[]; reload(): void }) {
  const dismiss = async (text: string) => {
    try {
      await write("POST", "/console/api/questions/dismiss", { body: { text } });
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    reload();
  };
  return (
    <section aria-label="Questions without an answer">
      <h2>Asked, but not found</h2>
      <ul class="plain changes">
        {questions.map(({ text, kind, agent, times, at }) => (
          <li key={`${kind} ${text}`}>
            <a
              href={`${kind === "question" ? "/console/ask" : "/console/"}?q=${encodeURIComponent(text)}`}
              dir="auto"
            >
              {text}
            </a>
            <span class="quiet">
              {kind === "question" ? "asked" : "searched"} by{" "}
              <Author agent={agent} kind="apiKey" name="you" /> · {times > 1 && `${times} times, the last `}
              <Time at={at} />
            </span>
            {may("documents.write") && (
              <button
                type="button"
                class="small"
                aria-label={`Dismiss: ${text}`}
                onClick={() => dismiss(text)}
              >
                Dismiss
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
