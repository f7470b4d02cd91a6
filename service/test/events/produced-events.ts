import { readFile, writeFile } from "node:fs/promises";
import { withAdminClient } from "@purser/embedded-postgres";
import type { TestProject } from "vitest/node";
import { presentEvent } from "../../src/events/event-resource.ts";
import { EVENT_TYPES } from "../../src/events/event-types.ts";
import { isWholeRun } from "../vendors/vendor-tally.ts";

const EXAMPLES_FILE = new URL("../../../openapi/event-examples.json", import.meta.url);
const DATABASES_CONCURRENT_MAX = 4;

type Server = Parameters<typeof withAdminClient>[0];

/**
 * Fails a whole run if no test has produced one of the types of events. With `RECORD_EVENT_EXAMPLES=yes`, a run adds an example
 * of each type that has none yet to `openapi/event-examples.json`.
 */
export async function checkProducedEvents(postgres: Server, project: TestProject): Promise<void> {
  const isWhole = await isWholeRun(project);
  const isUpdate = process.env["RECORD_EVENT_EXAMPLES"] === "yes";
  if (!isWhole && !isUpdate) return;
  const produced = await readEvents(postgres);
  const missing = isWhole ? EVENT_TYPES.filter((type) => !produced.has(type)) : [];
  if (missing.length > 0) {
    process.stderr.write(`No test has produced these events: ${missing.join(", ")}\n`);
    process.exitCode = 1;
  }
  if (isUpdate) await addExamples(produced);
}

/** Returns an event of each type in the databases of the test run, as the API presents it. */
async function readEvents(postgres: Server): Promise<Map<string, object>> {
  const names = await withAdminClient(postgres, "postgres", async (client) => {
    const { rows } = await client.query("select datname from pg_database where datname like 'test_%'");
    return rows.map(({ datname }) => String(datname));
  });
  const produced = new Map<string, object>();
  const readDatabases = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const events = await withAdminClient(postgres, name, async (client) => {
        const { rows } = await client.query("select to_regclass('events') is not null as exists");
        return rows[0].exists ? (await client.query(EVENT_OF_EACH_TYPE)).rows : [];
      });
      for (const event of events) produced.set(event.type, presentEvent(event));
    }
  };
  await Promise.all(Array.from({ length: DATABASES_CONCURRENT_MAX }, readDatabases));
  return produced;
}

const EVENT_OF_EACH_TYPE = `
  select distinct on (event.type) event.tenant_id as "tenantId", event.event_id as "eventId", event.mode, event.type,
    event.subject_type as "subjectType", event.subject_id as "subjectId", event.sequence, event.data, event.actor,
    event.request_id as "requestId", event.occurred_at as "occurredAt", before.data as "previousData"
  from events as event
  left join events as before on before.tenant_id = event.tenant_id and before.subject_type = event.subject_type
    and before.subject_id = event.subject_id and before.sequence = event.sequence - 1
  where event.data <> '{}'
  order by event.type, event.sequence`;

async function addExamples(produced: ReadonlyMap<string, object>): Promise<void> {
  const known: Record<string, object> = JSON.parse(await readFile(EXAMPLES_FILE, "utf8").catch(() => "{}"));
  const examples = EVENT_TYPES.flatMap((type) => {
    const example = known[type] ?? produced.get(type);
    return example === undefined ? [] : [[type, example]];
  });
  await writeFile(EXAMPLES_FILE, `${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`);
}
