import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceDatabase, openServiceDatabase } from "../../test/database.ts";
import { newId } from "../foundation/ids.ts";
import type { AuditChain } from "../foundation/vocabulary.ts";
import type { Db, Tx } from "./database.ts";
import { isLockTimeout } from "./errors.ts";
import { setTenantForStatement, withSnapshot, withTransaction } from "./transaction.ts";

describe("withTransaction", () => {
  let db: Db;

  beforeAll(async () => {
    db = openServiceDatabase(await createServiceDatabase());
  });

  afterAll(async () => {
    await db.destroy();
  });

  it("sets the tenant, even if it contains quotes and backslashes, and resets it afterwards", async () => {
    const tenant = (tx: Db) => sql<{ tenant: string | null }>`select purser_tenant() as tenant`.execute(tx);
    const odd = "dev_o'brien; select \\ $1" as `dev_${string}`;

    const inside = await withTransaction(db, odd, tenant);
    const outside = await tenant(db);

    expect(inside.rows).toEqual([{ tenant: odd }]);
    expect(outside.rows).toEqual([{ tenant: null }]);
  });

  it("lockTimeoutMs: a statement that waits longer for a lock fails, in this transaction only", async () => {
    const tenantId = newId("dev");
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lock = (tx: Db) => sql`select pg_advisory_xact_lock(1)`.execute(tx);
    const holder = withTransaction(db, tenantId, async (tx) => {
      await lock(tx);
      held.resolve();
      await released.promise;
    });
    await held.promise;

    const failure = await withTransaction(db, tenantId, lock, { lockTimeoutMs: 50 }).catch((error: unknown) => error);
    released.resolve();
    await holder;

    expect(isLockTimeout(failure)).toBe(true);
    const odd = "dev_$2'; select" as `dev_${string}`;
    const settings = (tx: Db) =>
      sql<object>`select purser_tenant() as tenant, current_setting('lock_timeout') as timeout`.execute(tx);
    const inside = await withTransaction(db, odd, settings, { lockTimeoutMs: 50 });
    const later = await withTransaction(db, odd, settings);
    expect([...inside.rows, ...later.rows]).toEqual([
      { tenant: odd, timeout: "50ms" },
      { tenant: odd, timeout: "0" },
    ]);
  });

  it("setTenantForStatement: the tenant is set for one statement only", async () => {
    const tenantId = newId("dev");
    const select = (tenant: RawBuilder<unknown>) =>
      sql<object>`select pg_backend_pid() as pid, ${tenant} as tenant, purser_tenant() as now`.execute(db);

    const inside = await select(setTenantForStatement(tenantId));
    const outside = await select(sql`null`);

    expect(inside.rows).toMatchObject([{ tenant: tenantId, now: tenantId }]);
    expect(outside.rows).toEqual([{ ...inside.rows[0], tenant: null, now: null }]);
  });

  it.each([
    { transaction: withTransaction, counted: [0n, 1n] },
    { transaction: withSnapshot, counted: [0n, 0n] },
  ])(
    "$transaction.name: counts of rows before and after another transaction commits are $counted",
    async ({ transaction, counted }) => {
      const tenantId = newId("dev");
      const firstCount = barrier(2);
      const inserted = firstCount().then(() =>
        withTransaction(db, tenantId, (tx) =>
          tx.insertInto("auditHeads").values({ tenantId, chain: "tenant", sequence: 0, hash: "" }).execute(),
        ),
      );

      const counts = await transaction(db, tenantId, async (tx) => {
        const before = await countHeads(tx, tenantId);
        await firstCount();
        await inserted;
        return [before, await countHeads(tx, tenantId)];
      });

      expect(counts).toEqual(counted);
    },
  );

  it("a transaction without a tenant rolls back, also before its first statement, and can be empty", async () => {
    const chain = "tenant" as const;
    const tenantId = newId("dev");
    const undone = db.transaction().execute(async (tx) => {
      await sql`select set_config('purser.tenant_id', ${tenantId}, true)`.execute(tx);
      await tx.insertInto("auditHeads").values({ tenantId, chain, sequence: 0, hash: "" }).execute();
      throw new Error("undo");
    });
    await expect(undone).rejects.toThrow("undo");
    await expect(
      db.transaction().execute(async () => {
        throw new Error("before anything");
      }),
    ).rejects.toThrow("before anything");
    await db.transaction().execute(async () => {});

    const rows = await db.selectFrom("auditHeads").where("tenantId", "=", tenantId).selectAll().execute();
    expect(rows).toEqual([]);
  });

  it("two transactions deadlock: the cancelled one is repeated and both succeed", async () => {
    const tenantId = newId("dev");
    const chains: readonly AuditChain[] = ["tenant", "provider_keys"];
    await withTransaction(db, tenantId, async (tx) => {
      for (const chain of chains) {
        await tx.insertInto("auditHeads").values({ tenantId, chain, sequence: 0, hash: "" }).execute();
      }
    });
    const step = (tx: Tx, chain: AuditChain | undefined) =>
      tx
        .updateTable("auditHeads")
        .set(({ eb }) => ({ sequence: eb("sequence", "+", 1) }))
        .where("tenantId", "=", tenantId)
        .where("chain", "=", chain ?? "tenant")
        .execute();
    const bothHoldOne = barrier(2);
    let attempts = 0;
    const inOrder = (order: readonly AuditChain[]) =>
      withTransaction(db, tenantId, async (tx) => {
        attempts += 1;
        await step(tx, order[0]);
        await bothHoldOne();
        await step(tx, order[1]);
      });

    await Promise.all([inOrder(chains), inOrder(chains.toReversed())]);

    // Two first attempts, and at least one retry of the transaction that PostgreSQL cancels because of the deadlock.
    expect(attempts).toBeGreaterThanOrEqual(3);
    const heads = await db.selectFrom("auditHeads").select("sequence").where("tenantId", "=", tenantId).execute();
    expect(heads).toEqual([{ sequence: 2 }, { sequence: 2 }]);
  });

  it("503: a transaction fails with a serialization error four times; nothing is saved", async () => {
    const tenantId = newId("dev");
    let attempts = 0;

    const work = withTransaction(db, tenantId, async (tx) => {
      attempts += 1;
      await tx.insertInto("auditHeads").values({ tenantId, chain: "tenant", sequence: 0, hash: "" }).execute();
      await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(tx);
    });

    await expect(work).rejects.toMatchObject({ code: "service_unavailable" });
    expect(attempts).toBe(4);
    expect(await db.selectFrom("auditHeads").selectAll().where("tenantId", "=", tenantId).execute()).toEqual([]);
  });

  it("any other error is thrown unchanged after one attempt", async () => {
    let attempts = 0;

    const work = withTransaction(db, newId("dev"), async () => {
      attempts += 1;
      throw new RangeError("a bug");
    });

    await expect(work).rejects.toThrow(new RangeError("a bug"));
    expect(attempts).toBe(1);
  });

  it("the tenant is set for the transaction only, whether it commits or not", async () => {
    const tenantId = newId("dev");
    const current = async (executor: Db) => {
      const { rows } = await sql<{ tenant: string | null; pid: number }>`
        select purser_tenant() as tenant, pg_backend_pid() as pid
      `.execute(executor);
      return rows[0];
    };

    await db.connection().execute(async (connection) => {
      const inside = await withTransaction(connection, tenantId, current);
      await withTransaction(connection, tenantId, () => Promise.reject(new Error("no"))).catch(() => {});

      expect(inside?.tenant).toBe(tenantId);
      expect(await current(connection)).toEqual({ tenant: null, pid: inside?.pid });
    });
  });
});

/** Returns a function whose promise resolves once the function has been called `parties` times. */
function barrier(parties: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived >= parties) resolve();
    return promise;
  };
}

/** Counts the tenant's chains. Returns 0 if the transaction is not the tenant's. */
async function countHeads(tx: Db, tenantId: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ heads: bigint }>`
    select count(*) as heads from audit_heads where tenant_id = ${tenantId} and purser_tenant() = ${tenantId}
  `.execute(tx);
  return rows[0]?.heads;
}
