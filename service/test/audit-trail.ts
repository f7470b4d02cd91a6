import { Client } from "pg";
import { type Actor, appendAuditEntry } from "../src/audit/append.ts";
import { type AuditRecord, auditHash, GENESIS } from "../src/audit/chains/chain.ts";
import type { ChainKey } from "../src/audit/chains/queries.ts";
import type { Db } from "../src/db/database.ts";
import { withTransaction } from "../src/db/transaction.ts";

/** Appends `count` audit entries, numbered from `first`, in one transaction. */
export async function appendEntries(
  db: Db,
  { tenantId, chain }: ChainKey,
  { count, first = 1 }: { readonly count: number; readonly first?: number },
): Promise<void> {
  const actor: Actor = {
    tenantId,
    mode: "live",
    actor: { type: "developer", id: tenantId, key_id: null, ip: "192.0.2.0/24" },
    requestId: null,
  };
  await withTransaction(db, tenantId, async (tx) => {
    for (let number = first; number < first + count; number += 1) {
      await appendAuditEntry(tx, actor, {
        chain,
        action: "note.written",
        subject: { type: "note", id: `note_${number}` },
        facts: { number },
        occurredAt: new Date(Date.UTC(2026, 0, 1) + number * 1000),
      });
    }
  });
}

export type DatabaseAttacker = Awaited<ReturnType<typeof createDatabaseAttacker>>;

/**
 * Returns functions that change the audit tables as an attacker could. The attacker has full access to the database and
 * the source code, but not to the audit anchor.
 */
export async function createDatabaseAttacker(superuserUrl: string, { tenantId, chain }: ChainKey) {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  const own = `tenant_id = '${tenantId}' and chain = '${chain}'`;
  const tables = ["audit_entries", "audit_links", "audit_heads", "audit_pending"];

  /** Runs statements with triggers and foreign keys disabled. */
  async function tamper(...statements: readonly string[]): Promise<void> {
    await client.query(["begin", "set local session_replication_role = replica", ...statements, "commit"].join(";"));
  }

  return {
    own,
    tamper,
    end: () => client.end(),
    /** Saves a copy of the chain, which `restore` puts back. */
    save: () =>
      tamper(
        ...tables.flatMap((table) => [
          `drop table if exists pg_temp.saved_${table}`,
          `create temp table saved_${table} as select * from ${table} where ${own}`,
        ]),
      ),
    restore: () =>
      tamper(
        ...tables.flatMap((table) => [
          `delete from ${table} where ${own}`,
          `insert into ${table} select * from pg_temp.saved_${table}`,
        ]),
      ),
    /** Returns the chain's entries in order. */
    records: async (): Promise<AuditRecord[]> => {
      const { rows } = await client.query<Record<string, never>>(`
        select e.* from audit_links l join audit_entries e using (tenant_id, chain, audit_id)
        where l.tenant_id = '${tenantId}' and l.chain = '${chain}' order by l.sequence
      `);
      return rows.map(({ audit_id, tenant_id, request_id, occurred_at, ...rest }) => ({
        ...(rest as object as AuditRecord),
        auditId: audit_id ?? "aud_",
        tenantId: tenant_id ?? tenantId,
        requestId: request_id ?? null,
        occurredAt: occurred_at ?? new Date(),
      }));
    },
    /** Replaces the chain's entries, and recalculates the chain's hashes and head from the new entries. */
    rewrite: async (records: readonly AuditRecord[]): Promise<void> => {
      let head = GENESIS;
      const links = records.map((record) => {
        const position = { sequence: head.sequence + 1, prevHash: head.hash };
        head = { sequence: position.sequence, hash: auditHash(record, position) };
        return { audit_id: record.auditId, prev_hash: position.prevHash, ...head };
      });
      const entries = records.map(({ auditId, tenantId: tenant_id, requestId, occurredAt, ...rest }) => ({
        ...rest,
        audit_id: auditId,
        tenant_id,
        request_id: requestId,
        occurred_at: occurredAt.toISOString(),
      }));
      const rows = (value: object) => client.escapeLiteral(JSON.stringify(value));
      await tamper(
        `delete from audit_entries where ${own}`,
        `delete from audit_links where ${own}`,
        `insert into audit_entries select * from jsonb_populate_recordset(null::audit_entries, ${rows(entries)})`,
        `insert into audit_links (tenant_id, chain, sequence, audit_id, prev_hash, hash)
         select '${tenantId}', '${chain}', sequence, audit_id, prev_hash, hash
         from jsonb_populate_recordset(null::audit_links, ${rows(links)})`,
        `update audit_heads set sequence = ${head.sequence}, hash = '${head.hash}' where ${own}`,
      );
    },
  };
}
