import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendEntries, createDatabaseAttacker, type DatabaseAttacker } from "../../../test/audit-trail.ts";
import { useHarness } from "../../../test/harness.ts";
import { openDatabase } from "../../db/database.ts";
import { newId } from "../../foundation/ids.ts";
import { checkpointChain } from "../checkpoints/checkpoint.ts";
import type { AuditRecord } from "./chain.ts";
import type { ChainKey } from "./queries.ts";
import { verifyChain } from "./verify.ts";

describe("verifyChain", () => {
  const harness = useHarness();

  const newChain = (chain: ChainKey["chain"] = "tenant"): ChainKey => ({
    tenantId: newId("dev"),
    chain,
  });

  describe.each(["tenant", "provider_keys"] as const)("with an unchanged %s chain", (chain) => {
    it("valid: the chain is empty", async () => {
      expect(await verifyChain(harness.app, newChain(chain))).toEqual({
        valid: true,
        entriesChecked: 0,
        firstSequence: 1,
        headHash: "0".repeat(64),
        brokenAt: null,
        anchor: {
          status: "pending",
          checkpoint: null,
          reference: null,
          unanchoredEntries: 0,
          truncated: false,
        },
        checkedAt: harness.clock.now(),
      });
    });

    it("valid: the chain has pending entries and no checkpoint", async () => {
      const key = newChain(chain);
      await appendEntries(harness.app.db, key, { count: 3 });

      const findings = await verifyChain(harness.app, key);

      expect(findings).toMatchObject({
        valid: true,
        entriesChecked: 3,
        brokenAt: null,
        anchor: { status: "pending", unanchoredEntries: 3 },
      });
    });

    it("valid: some entries are not anchored; returns their number", async () => {
      const key = newChain(chain);
      await appendEntries(harness.app.db, key, { count: 3 });
      await checkpointChain(harness.app, key);
      await appendEntries(harness.app.db, key, { count: 2, first: 4 });

      const findings = await verifyChain(harness.app, key);

      expect(findings).toMatchObject({
        valid: true,
        entriesChecked: 5,
        anchor: { status: "matched", checkpoint: { sequence: 3 }, unanchoredEntries: 2 },
      });
    });

    it("does not count entries of other tenants or of the other chain", async () => {
      const key = newChain(chain);
      const other = chain === "tenant" ? "provider_keys" : "tenant";
      await appendEntries(harness.app.db, key, { count: 2 });
      await appendEntries(harness.app.db, { ...key, chain: other }, { count: 3 });
      await appendEntries(harness.app.db, newChain(chain), { count: 4 });

      expect(await verifyChain(harness.app, key)).toMatchObject({ valid: true, entriesChecked: 2 });
    });
  });

  it("finds missing entries in chains of more than one page", async () => {
    const key = newChain();
    await appendEntries(harness.app.db, key, { count: 1_050 });

    expect(await verifyChain(harness.app, key)).toMatchObject({
      valid: true,
      entriesChecked: 1_050,
    });

    const intruder = await createDatabaseAttacker(harness.database.superuserUrl, key);
    await intruder.tamper(
      `insert into audit_entries select tenant_id, 'aud_zzz', chain, mode, actor, action, subject, facts, request_id, occurred_at
       from audit_entries where ${intruder.own} limit 1`,
    );
    await intruder.end();
    expect(await verifyChain(harness.app, key)).toMatchObject({
      valid: false,
      brokenAt: { sequence: 1_051, reason: "missing_entry", expected: "aud_zzz" },
    });
  });

  it.each(["before", "after"])(
    "valid: the chain grows and is anchored %s verifyChain reads the anchor's checkpoint",
    async (moment) => {
      const key = newChain();
      await appendEntries(harness.app.db, key, { count: 2 });
      await checkpointChain(harness.app, key);
      const { auditAnchor } = harness.app;
      const grow = async () => {
        await appendEntries(harness.app.db, key, { count: 2, first: 3 });
        await checkpointChain(harness.app, key);
      };
      const latest: typeof auditAnchor.latest = async (...args) => {
        if (moment === "before") await grow();
        const anchored = await auditAnchor.latest(...args);
        if (moment === "after") await grow();
        return anchored;
      };

      const findings = await verifyChain({ ...harness.app, auditAnchor: { ...auditAnchor, latest } }, key);

      expect(findings).toMatchObject({
        valid: true,
        anchor: { status: "matched", truncated: false },
      });
    },
  );

  it("503: the database does not respond", async () => {
    const db = openDatabase({
      url: "postgres://absent@127.0.0.1:1/nowhere",
      connectionsMax: { requests: 1, authentication: 1, jobs: 1 },
      statementTimeoutMs: 1_000,
      readTimeoutMs: 1_000,
      connectTimeoutMs: 1_000,
      onError: () => {},
    });

    await expect(verifyChain({ ...harness.app, db }, newChain())).rejects.toMatchObject({
      code: "service_unavailable",
    });
    await db.destroy();
  });
});

/** The expected result of verifying a chain after tampering. */
type Verdict = "intact" | "broken" | "mismatch" | "truncated";

interface Tampering {
  readonly name: string;
  readonly expected: Verdict;
  readonly act: (intruder: DatabaseAttacker) => Promise<void>;
}

/**
 * For each column, the SQL expression of a changed value. The hashes are not recomputed, so verification detects the
 * change in every entry, anchored or not.
 */
const COLUMNS: Readonly<Record<string, string>> = {
  mode: "'test'",
  actor: `actor || '{"id": "dev_mallory"}'`,
  action: "'note.burnt'",
  subject: `subject || '{"id": "note_0"}'`,
  facts: `facts || '{"number": -1}'`,
  request_id: "'req_mallory'",
  occurred_at: "occurred_at + interval '1 millisecond'",
};

const entryAt = (own: string, sequence: number) =>
  `audit_id = (select audit_id from audit_links where ${own} and sequence = ${sequence})`;

function singleChanges(at: number): Tampering[] {
  const broken = (name: string, statements: (own: string) => string[]): Tampering => ({
    name: `${name} at ${at}`,
    expected: "broken",
    act: (intruder) => intruder.tamper(...statements(intruder.own)),
  });
  return [
    ...Object.entries(COLUMNS).map(([column, value]) =>
      broken(`changed ${column}`, (own) => [`update audit_entries set ${column} = ${value} where ${entryAt(own, at)}`]),
    ),
    ...["hash", "prev_hash"].map((column) =>
      broken(`changed ${column}`, (own) => [
        `update audit_links set ${column} = reverse(${column}) || 'x' where ${own} and sequence = ${at}`,
      ]),
    ),
    broken("deleted entry", (own) => [`delete from audit_entries where ${entryAt(own, at)}`]),
    broken("deleted chain entry", (own) => [`delete from audit_links where ${own} and sequence = ${at}`]),
    broken("deleted entry and chain entry", (own) => [
      `delete from audit_entries where ${entryAt(own, at)}`,
      `delete from audit_links where ${own} and sequence = ${at}`,
    ]),
    broken("entry that is missing from the chain", (own) => [
      `insert into audit_entries select tenant_id, 'aud_mallory', chain, mode, actor, action, subject, facts, request_id, occurred_at
       from audit_entries where ${entryAt(own, at)}`,
    ]),
    broken("chain entry with another audit id", (own) => [
      `update audit_links set audit_id = 'aud_mallory' where ${own} and sequence = ${at}`,
    ]),
  ];
}

/**
 * Returns ways to tamper with the entry at position `at`. Each recomputes the chain's hashes, so verification detects
 * the tampering only if the entry is anchored.
 */
function rewritings(at: number, { length, anchored }: Lengths): Tampering[] {
  const rewritten = (name: string, change: (records: readonly AuditRecord[]) => readonly AuditRecord[]): Tampering => ({
    name: `${name} at ${at}, with recomputed hashes`,
    expected: at <= anchored ? "mismatch" : "intact",
    act: async (intruder) => intruder.rewrite(change(await intruder.records())),
  });
  const changed = (record: AuditRecord): AuditRecord => ({ ...record, action: "note.burnt" });
  const forged = (record: AuditRecord): AuditRecord => ({ ...record, auditId: "aud_mallory" });
  return [
    rewritten("changed entry", (records) => records.with(at - 1, changed(pick(records, at)))),
    rewritten("inserted entry", (records) => records.toSpliced(at - 1, 0, forged(pick(records, at)))),
    ...(at < length
      ? [
          rewritten("swapped entries", (records) =>
            records.with(at - 1, pick(records, at + 1)).with(at, pick(records, at)),
          ),
          // The last entry is not deleted here, because deleting it truncates the chain (see `truncations`).
          rewritten("deleted entry", (records) => records.toSpliced(at - 1, 1)),
        ]
      : []),
  ];
}

function pick(records: readonly AuditRecord[], sequence: number): AuditRecord {
  const record = records[sequence - 1];
  if (record === undefined) throw new Error(`There is no entry ${sequence}.`);
  return record;
}

/** Returns ways to truncate a chain to its first `left` entries. */
function truncations(left: number, { anchored }: Lengths): Tampering[] {
  const links = (own: string) => `delete from audit_links where ${own} and sequence > ${left}`;
  const entries = (own: string) =>
    `delete from audit_entries e using audit_links l where l.tenant_id = e.tenant_id and l.audit_id = e.audit_id
     and l.${own.replace(" and ", " and l.")} and l.sequence > ${left}`;
  const head = (own: string) =>
    left === 0
      ? `delete from audit_heads where ${own}`
      : `update audit_heads set (sequence, hash) = (${left}, (select hash from audit_links where ${own} and sequence = ${left})) where ${own}`;
  const truncated = (name: string, expected: Verdict, statements: readonly ((own: string) => string)[]): Tampering => ({
    name: `truncated to ${left}: ${name}`,
    expected,
    act: (intruder) => intruder.tamper(...statements.map((statement) => statement(intruder.own))),
  });
  return [
    truncated("chain entries", "broken", [links]),
    truncated("chain entries and entries", "broken", [entries, links]),
    truncated("chain entries, head moved back", "broken", [links, head]),
    truncated("everything, head moved back", left < anchored ? "truncated" : "intact", [entries, links, head]),
  ];
}

interface Lengths {
  readonly length: number;
  /** The number of entries in the last checkpoint. */
  readonly anchored: number;
}

describe("tampering by a database superuser", () => {
  const harness = useHarness();
  const key: ChainKey = { tenantId: newId("dev"), chain: "tenant" };
  const lengths = { length: 8, anchored: 5 };
  let intruder: DatabaseAttacker;

  beforeAll(async () => {
    intruder = await arrange(harness, key, lengths);
  });

  afterAll(() => intruder.end());

  const places = Array.from({ length: lengths.length }, (_, index) => index + 1);
  const tamperings = [
    ...places.flatMap(singleChanges),
    ...places.flatMap((at) => rewritings(at, lengths)),
    ...places.flatMap((at) => truncations(at - 1, lengths)),
  ];

  it.each(tamperings)("$expected: $name", async (tampering) => {
    await expectVerdict(harness, key, intruder, tampering);
  });

  it.each([1, lengths.length])("broken: reports the sequence of the changed entry, %i", async (at) => {
    await intruder.tamper(`update audit_entries set facts = '{}' where ${entryAt(intruder.own, at)}`);

    const { brokenAt, entriesChecked } = await verifyChain(harness.app, key);
    await intruder.restore();

    expect(brokenAt).toMatchObject({ sequence: at, reason: "hash_mismatch" });
    expect(entriesChecked).toBe(at - 1);
  });

  it.each([
    ["deleted", "delete from audit_heads where {own}"],
    ["moved back", "update audit_heads set sequence = sequence - 1 where {own}"],
    ["moved forward", "update audit_heads set sequence = sequence + 1 where {own}"],
    ["changed", "update audit_heads set hash = repeat('f', 64) where {own}"],
  ])("broken: head was %s, with and without a pending entry", async (_name, statement) => {
    for (const pending of [0, 1]) {
      await appendEntries(harness.app.db, key, { count: pending, first: 100 });
      await intruder.tamper(statement.replace("{own}", intruder.own));

      const { valid, brokenAt, anchor } = await verifyChain(harness.app, key);
      await intruder.restore();

      expect([pending, valid, brokenAt === null, anchor.truncated]).toEqual([pending, false, false, false]);
    }
  });

  it("broken: a pending entry was deleted", async () => {
    await appendEntries(harness.app.db, key, { count: 1, first: 100 });
    await intruder.tamper(`delete from audit_entries where ${intruder.own} and subject ->> 'id' = 'note_100'`);

    const { valid, brokenAt } = await verifyChain(harness.app, key);
    await intruder.restore();

    expect([valid, brokenAt]).toMatchObject([false, { sequence: lengths.length + 1, reason: "missing_entry" }]);
  });

  it("invalid: entries were moved from the chain back to pending", async () => {
    await intruder.tamper(
      `insert into audit_pending select tenant_id, audit_id, chain from audit_links where ${intruder.own} and sequence = 2`,
      `update audit_heads set sequence = 3 where ${intruder.own}`,
    );

    const { valid } = await verifyChain(harness.app, key);
    await intruder.restore();

    expect(valid).toBe(false);
  });

  it("mismatch: an older database backup was restored, even if the chain has grown since", async () => {
    const restoredKey: ChainKey = { tenantId: newId("dev"), chain: "tenant" };
    await appendEntries(harness.app.db, restoredKey, { count: 3 });
    await checkpointChain(harness.app, restoredKey);
    const other = await createDatabaseAttacker(harness.database.superuserUrl, restoredKey);
    await other.save();
    await appendEntries(harness.app.db, restoredKey, { count: 3, first: 4 });
    await checkpointChain(harness.app, restoredKey);
    await other.tamper(
      "alter table audit_anchorings disable row level security",
      `delete from audit_anchorings where ${other.own} and sequence > 3`,
      `delete from audit_checkpoints where ${other.own} and sequence > 3`,
      "alter table audit_anchorings enable row level security",
    );
    await other.restore();
    await other.end();

    expect(await verifyChain(harness.app, restoredKey)).toMatchObject({
      valid: false,
      brokenAt: null,
      anchor: { status: "mismatch", truncated: true, checkpoint: { sequence: 6 } },
    });
    await appendEntries(harness.app.db, restoredKey, { count: 20, first: 7 });
    await expect(checkpointChain(harness.app, restoredKey)).rejects.toThrow("prev_hash_mismatch");
    expect(await verifyChain(harness.app, restoredKey)).toMatchObject({
      valid: false,
      brokenAt: null,
      anchor: { status: "mismatch", truncated: false, checkpoint: { sequence: 6 } },
    });
  });
});

describe("tampering with a chain of 200 entries", () => {
  const harness = useHarness();
  const key: ChainKey = { tenantId: newId("dev"), chain: "tenant" };
  const lengths = { length: 200, anchored: 170 };
  let intruder: DatabaseAttacker;

  beforeAll(async () => {
    intruder = await arrange(harness, key, lengths);
  });

  afterAll(() => intruder.end());

  it.each(Array.from({ length: 10 }, (_, tenth) => tenth * 20))(
    "is detected at the 20 sequences after %i",
    async (from) => {
      for (let at = from + 1; at <= from + 20; at += 1) {
        // To save time, this test makes only two changes at each position: one without and one with recomputed hashes.
        // The tests above try all changes at all positions of a shorter chain.
        const withNewHashes = [...rewritings(at, lengths), ...truncations(at - 1, lengths)];
        for (const kinds of [singleChanges(at), withNewHashes]) {
          const tampering = kinds[at % kinds.length];
          if (tampering !== undefined) await expectVerdict(harness, key, intruder, tampering);
        }
      }
    },
  );
});

async function arrange(
  { app, database }: ReturnType<typeof useHarness>,
  key: ChainKey,
  { length, anchored }: Lengths,
): Promise<DatabaseAttacker> {
  await appendEntries(app.db, key, { count: anchored });
  await checkpointChain(app, key);
  await appendEntries(app.db, key, { count: length - anchored, first: anchored + 1 });
  const findings = await verifyChain(app, key);
  expect(findings).toMatchObject({
    valid: true,
    entriesChecked: length,
    anchor: { unanchoredEntries: length - anchored },
  });
  const intruder = await createDatabaseAttacker(database.superuserUrl, key);
  await intruder.save();
  return intruder;
}

/** Tampers with the chain, checks the verification result, and restores the chain. */
async function expectVerdict(
  { app }: ReturnType<typeof useHarness>,
  key: ChainKey,
  intruder: DatabaseAttacker,
  { name, expected, act }: Tampering,
): Promise<void> {
  await act(intruder);
  const { valid, entriesChecked, brokenAt, anchor } = await verifyChain(app, key);
  await intruder.restore();

  const verdict: Verdict =
    brokenAt !== null
      ? "broken"
      : anchor.truncated
        ? "truncated"
        : anchor.status === "mismatch"
          ? "mismatch"
          : "intact";
  expect([name, verdict]).toEqual([name, expected]);
  expect([name, valid]).toEqual([name, expected === "intact"]);
  // An undetected change can only be in an entry after the checkpoint. All entries after the checkpoint must be counted
  // as unanchored.
  if (expected === "intact") {
    const { sequence = 0 } = anchor.checkpoint ?? {};
    expect([name, anchor.unanchoredEntries]).toEqual([name, entriesChecked - sequence]);
  }
}
