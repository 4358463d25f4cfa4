// The records of an invented team, for the pictures of the console.

interface PicturedDocument {
  title: string;
  tags: string[];
  content: string;
  metadata?: Record<string, unknown>;
  /** The text of a second version. */
  edited?: string;
}

const FLOOD_GATE = (level: string, after: string) => `# Flood gate runbook

How the harbour crew closes the flood gate before a storm.

## When to close

Close the flood gate when the gauge at pier 4 shows ${level}, or when the forecast announces a surge within six hours.

## Steps

1. Call the lock keeper and confirm that no boat is inside the gate.
2. Start both hydraulic pumps. Pressure rises to 120 bar within two minutes.
3. Lower the gate in three stages and watch the seal on the camera.

> Never lower the gate with only one pump: it jams at the second stage.

| Check | Who | How often |
| --- | --- | --- |
| Hydraulic oil | crew on duty | weekly |
| Seal | diver | twice a year |
| Power supply | electrician | monthly |

## Afterwards

${after}
`;

/** Documents; the first one has two versions. */
export const DOCUMENTS: readonly PicturedDocument[] = [
  {
    title: "Flood gate runbook",
    tags: ["runbook", "safety"],
    metadata: { owner: "Harbour crew", reviewed: "2026-10-02" },
    content: FLOOD_GATE("3.2 m", "Open the gate when the water has fallen below 2.5 m."),
    edited: FLOOD_GATE(
      "2.9 m",
      "Open the gate when the water has fallen below 2.4 m, and write the times into the log.",
    ),
  },
  {
    title: "Pump maintenance",
    tags: ["runbook"],
    content:
      "# Pump maintenance\n\nReplace the filters of both pumps every 500 hours of operation. Bleed the pumps before the first start of a season.\n",
  },
  {
    title: "Storm of 14 October: what we learned",
    tags: ["post-mortem", "safety"],
    content:
      "# Storm of 14 October\n\nThe water rose by forty centimetres in half an hour. We closed the gate late because the gauge at pier 4 was read by hand.\n\n## Decisions\n\n- The gauge reports every minute.\n- The threshold for closing the gate is lower.\n",
  },
  {
    title: "Tide forecast service",
    tags: ["api"],
    content:
      "# Tide forecast service\n\nThe service returns water levels for 72 hours in steps of ten minutes.\n",
  },
  {
    title: "On-call rota",
    tags: ["team"],
    content:
      "# On-call rota\n\nTwo people are on call at night. The second one drives to the harbour when the water rises.\n",
  },
  {
    title: "Interview with the lock keeper",
    tags: ["notes"],
    content:
      "# Interview with the lock keeper\n\nBoats need eleven minutes to leave the gate when the tide is against them.\n",
  },
];

/** Prompts with placeholders. */
export const PROMPTS: readonly Record<string, unknown>[] = [
  {
    title: "Summarise an incident",
    description: "A short report of an incident for the weekly meeting",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the prompt
    content: "Summarise the incident ${incident} in five sentences for ${audience}. Name what we decided.",
    tags: ["writing"],
    variables: [
      { name: "incident", type: "string", description: "What happened, as notes" },
      { name: "audience", type: "string", description: "Who reads the report" },
    ],
  },
];
