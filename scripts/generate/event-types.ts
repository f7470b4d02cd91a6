import { readFileSync } from "node:fs";
import path from "node:path";
import { EVENT_DESCRIPTIONS } from "../../service/src/events/event-types.ts";

/** Returns the page that lists the types of events, each with an event that a test has recorded. */
export function eventTypesPage(root: string): Record<string, string> {
  const examples: Readonly<Record<string, object>> = JSON.parse(
    readFileSync(path.join(root, "openapi/event-examples.json"), "utf8"),
  );
  const sections = [...EVENT_DESCRIPTIONS].map(([type, description]) => {
    const example = examples[type];
    const shown =
      example === undefined
        ? ""
        : `\n::: details Example\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n:::\n`;
    return `## \`${type}\`\n\n${description}\n${shown}`;
  });
  const head = `# Types of events

Purser records an event for each change ([Events](rules/events.md)), and sends it to [webhooks](rules/webhooks.md). \`data.object\` is the subject after the change. The examples were recorded from a run of the tests.
`;
  return { "docs/event-types.md": [head, ...sections].join("\n") };
}
