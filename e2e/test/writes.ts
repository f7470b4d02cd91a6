import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Answer, SignedClient } from "../src/signed-client.ts";
import { query } from "./fixtures.ts";

const REPEATED_AT_ONCE = 8;

/** One `POST /projects`, under a name and an Idempotency-Key that nothing else has. */
export interface Write {
  readonly name: string;
  readonly idempotencyKey: string;
  /** Undefined while there is none, and where none came. */
  answer: Answer | undefined;
}

/** Makes projects, and keeps a note of each attempt, answered or not. */
export function createWriter(client: () => SignedClient) {
  const writes: Write[] = [];
  const send = ({ name, idempotencyKey }: Write) =>
    client().post("/projects", { name }, { idempotencyKey });
  return {
    writes,
    async write(): Promise<Answer> {
      const key = randomUUID();
      const write: Write = { name: `p-${key}`, idempotencyKey: key, answer: undefined };
      writes.push(write);
      write.answer = await send(write);
      return write.answer;
    },
    /** The same request again, as an honest client sends it: another nonce, the same key. */
    again: send,
  };
}

/** What a project's creation leaves behind, each to be there once or not at all. */
export interface Trace {
  readonly project: number;
  readonly audit: number;
  readonly event: number;
  readonly storedAnswer: number;
}

const WHOLE: Trace = { project: 1, audit: 1, event: 1, storedAnswer: 1 };
const NOTHING: Trace = { project: 0, audit: 0, event: 0, storedAnswer: 0 };

/** What the database holds of each write, by its name: read past the service. */
export async function readTraces(superuserUrl: string, writes: readonly Write[]) {
  const rows = await query<{ name: string; part: keyof Trace }>(
    superuserUrl,
    `select name, 'project' as part from projects
     union all
     select facts ->> 'name', 'audit' from audit_entries where action = 'project.created'
     union all
     select payload -> 'data' ->> 'name', 'event' from outbox_messages
       where payload ->> 'type' = 'project.created'
     union all
     select data ->> 'name', 'event' from events where type = 'project.created'
     union all
     select answer_body::jsonb ->> 'name', 'storedAnswer' from idempotency_records
       where state = 'stored'`,
  );
  const count = (name: string, part: keyof Trace) =>
    rows.filter((row) => row.name === name && row.part === part).length;
  return writes.map((write) => ({
    write,
    trace: {
      project: count(write.name, "project"),
      audit: count(write.name, "audit"),
      event: count(write.name, "event"),
      storedAnswer: count(write.name, "storedAnswer"),
    } satisfies Trace,
  }));
}

/** What was answered 201 is there, and what was not is there wholly or not at all. Gives how many of each there are. */
export async function expectWhole(superuserUrl: string, writes: readonly Write[]) {
  const traces = await readTraces(superuserUrl, writes);
  for (const { write, trace } of traces) {
    if (write.answer?.status === 201) expect(trace, write.name).toEqual(WHOLE);
    else expect([WHOLE, NOTHING], write.name).toContainEqual(trace);
  }
  const lost = traces.filter(({ write }) => write.answer?.status !== 201);
  return {
    answered: traces.length - lost.length,
    lostAndDone: lost.filter(({ trace }) => trace.project === 1).length,
    lostAndNotDone: lost.filter(({ trace }) => trace.project === 0).length,
  };
}

/** A minute passes for the keys whose first call died in the middle: until then a repeated call is told to wait. */
export async function endLeases(superuserUrl: string): Promise<void> {
  await query(
    superuserUrl,
    "update idempotency_records set lease_expires_at = now() - interval '1 second' where state = 'in_flight'",
  );
}

/** Repeats every write under its key: each is then done once, and what was answered before is answered again word for word. */
export async function expectRepeatable(
  superuserUrl: string,
  { writes, again }: ReturnType<typeof createWriter>,
): Promise<void> {
  const repeat = async (write: Write) => {
    const repeated = await again(write);
    expect(repeated.status, `${write.name}: ${repeated.text}`).toBe(201);
    if (write.answer?.status !== 201) return;
    expect(repeated.text).toBe(write.answer.text);
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
  };
  for (let at = 0; at < writes.length; at += REPEATED_AT_ONCE) {
    await Promise.all(writes.slice(at, at + REPEATED_AT_ONCE).map(repeat));
  }
  for (const { write, trace } of await readTraces(superuserUrl, writes)) {
    expect(trace, write.name).toEqual(WHOLE);
  }
}

/** The tenant's chain, as the service itself checks it: sound, and with an entry for each write. */
export async function expectSoundAudit(client: SignedClient, entriesMin: number): Promise<void> {
  const { status, body } = await client.get("/audit/verify");
  expect(status).toBe(200);
  expect(body).toMatchObject({ valid: true, broken_at: null, truncation_detected: false });
  expect(body).toHaveProperty("entries_checked", expect.any(Number));
  expect(Reflect.get(Object(body), "entries_checked")).toBeGreaterThanOrEqual(entriesMin);
}
