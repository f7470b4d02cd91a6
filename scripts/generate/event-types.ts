import { readFileSync } from "node:fs";
import path from "node:path";
import { EVENT_DESCRIPTIONS } from "../../service/src/events/event-types.ts";

interface EventExample {
  readonly data: object;
}

/** The pages: their titles, and the subject of their first type. A page with all examples would load slowly. */
const PAGES = [
  ["projects", "Events of accounts, projects and services", "developer"],
  ["agents", "Events of agents and wallets", "agent"],
  ["payments", "Events of payments", "payment"],
  ["conversions", "Events of conversions, kill switches and webhooks", "conversion"],
] as const;
const WHOLE_EXAMPLE = "policy.updated";

/** Returns the pages that list the types of events, each with the data of an event that a test has recorded. */
export function eventTypesPages(root: string): Record<string, string> {
  const examples: Readonly<Record<string, EventExample>> = JSON.parse(
    readFileSync(path.join(root, "openapi/event-examples.json"), "utf8"),
  );
  const types = [...EVENT_DESCRIPTIONS];
  const starts = PAGES.map(([, , subject]) => types.findIndex(([type]) => type.startsWith(`${subject}.`)));
  const head = `\`data.object\` is the subject after the change. \`data.previous\` has the former values of the fields that changed. The examples were recorded from a run of the tests.`;
  return Object.fromEntries(
    PAGES.map(([name, title], index) => {
      const sections = types.slice(starts[index], starts[index + 1]).map(([type, description]) => {
        const example = examples[type];
        const shown = type === WHOLE_EXAMPLE ? example : example?.data;
        const caption = type === WHOLE_EXAMPLE ? "Example of a whole event" : "Example of `data`";
        const details = shown === undefined ? "" : `\n::: details ${caption}\n${codeBlock(shown)}\n:::\n`;
        return `## \`${type}\`\n\n${description}\n${details}`;
      });
      return [
        `docs/event-types/${name}.md`,
        [`# ${title}`, head, ...sections].join("\n\n").replaceAll("\n\n\n", "\n\n"),
      ];
    }),
  );
}

function codeBlock(value: object): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
