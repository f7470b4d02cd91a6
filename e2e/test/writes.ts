import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { ApiResponse, SignedClient } from "../src/signed-client.ts";
import { query } from "./fixtures.ts";

const CONCURRENT_REPEATS = 8;

/** One `POST /projects` with a unique name and Idempotency-Key. */
export interface Write {
  readonly name: string;
  readonly idempotencyKey: string;
  /** Undefined if no response was received. */
  response: ApiResponse | undefined;
}

/** Creates projects and records each attempt. */
export function createWriter(client: () => SignedClient) {
  const writes: Write[] = [];
  const send = ({ name, idempotencyKey }: Write) => client().post("/projects", { name }, { idempotencyKey });
  return {
    writes,
    async write(): Promise<ApiResponse> {
      const key = randomUUID();
      const write: Write = { name: `p-${key}`, idempotencyKey: key, response: undefined };
      writes.push(write);
      write.response = await send(write);
      return write.response;
    },
    /** Repeats a request with the same Idempotency-Key. */
    repeat: send,
  };
}

/** Number of rows of each kind that creating a project wrote. All numbers must be 1, or all must be 0. */
export interface Trace {
  readonly project: number;
  readonly audit: number;
  readonly event: number;
  readonly storedAnswer: number;
}

const COMPLETE: Trace = { project: 1, audit: 1, event: 1, storedAnswer: 1 };
const NOTHING: Trace = { project: 0, audit: 0, event: 0, storedAnswer: 0 };

/** Reads the rows that each write created, directly from the database. */
export async function readTraces(superuserUrl: string, writes: readonly Write[]) {
  const rows = await query<{ name: string; part: keyof Trace }>(
    superuserUrl,
    `select name, 'project' as part from projects
     union all
     select facts ->> 'name', 'audit' from audit_entries where action = 'project.created'
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

/**
 * Expects that every write with a 201 is complete, and that every other write is complete or absent. Returns how many
 * writes have a 201, how many others are complete, and how many are absent.
 */
export async function expectNoPartialWrites(superuserUrl: string, writes: readonly Write[]) {
  const traces = await readTraces(superuserUrl, writes);
  for (const { write, trace } of traces) {
    if (write.response?.status === 201) expect(trace, write.name).toEqual(COMPLETE);
    else expect([COMPLETE, NOTHING], write.name).toContainEqual(trace);
  }
  const lost = traces.filter(({ write }) => write.response?.status !== 201);
  return {
    confirmed: traces.length - lost.length,
    lostAndApplied: lost.filter(({ trace }) => trace.project === 1).length,
    lostAndNotApplied: lost.filter(({ trace }) => trace.project === 0).length,
  };
}

/** Ends the leases of interrupted calls, so that the calls can be repeated. A lease would otherwise last a minute. */
export async function endLeases(superuserUrl: string): Promise<void> {
  await query(
    superuserUrl,
    "update idempotency_records set lease_expires_at = now() - interval '1 second' where state = 'in_flight'",
  );
}

/**
 * Repeats every write with its Idempotency-Key. Expects that each was applied once, and that stored responses are
 * returned unchanged.
 */
export async function expectRepeatable(
  superuserUrl: string,
  { writes, repeat }: ReturnType<typeof createWriter>,
): Promise<void> {
  const repeatAndCheck = async (write: Write) => {
    const repeated = await repeat(write);
    expect(repeated.status, `${write.name}: ${repeated.text}`).toBe(201);
    if (write.response?.status !== 201) return;
    expect(repeated.text).toBe(write.response.text);
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
  };
  for (let at = 0; at < writes.length; at += CONCURRENT_REPEATS) {
    await Promise.all(writes.slice(at, at + CONCURRENT_REPEATS).map(repeatAndCheck));
  }
  for (const { write, trace } of await readTraces(superuserUrl, writes)) {
    expect(trace, write.name).toEqual(COMPLETE);
  }
}

/** Expects that the tenant's audit chain is valid and has at least `entriesMin` entries. */
export async function expectValidAudit(client: SignedClient, entriesMin: number): Promise<void> {
  const { status, body } = await client.get("/audit/verify");
  expect(status).toBe(200);
  expect(body).toMatchObject({ valid: true, broken_at: null, truncation_detected: false });
  expect(body).toHaveProperty("entries_checked", expect.any(Number));
  expect(Reflect.get(Object(body), "entries_checked")).toBeGreaterThanOrEqual(entriesMin);
}
