import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceDatabase, type TestDatabase } from "../../test/database.ts";
import { asSuperuser, dumpDatabase } from "../../test/project-seeds.ts";
import { type Db, openDatabase } from "../db/database.ts";
import type { withTransaction } from "../db/transaction.ts";
import { AppError } from "../foundation/errors.ts";
import { newId } from "../foundation/ids.ts";
import { createDbosExecution } from "./dbos-execution.ts";
import type { DurableContext, DurableExecution, WorkflowInput } from "./durable-execution.ts";
import { takeLease } from "./queries.ts";

const tenantId = newId("dev");
const LEASE_MS = 1_500;

const sleep = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));

describe("createDbosExecution", () => {
  let database: TestDatabase;
  let db: Db;
  let durable: DurableExecution;
  let body: (context: DurableContext, input: WorkflowInput) => Promise<void> = async () => {};

  beforeAll(async () => {
    database = await createServiceDatabase();
    db = openDatabase({
      url: database.serviceUrl,
      connectionsMax: { requests: 8, authentication: 1, jobs: 1 },
      statementTimeoutMs: 5_000,
      readTimeoutMs: 5_000,
      connectTimeoutMs: 5_000,
      onError: () => {},
    });
    durable = createDbosExecution({
      db,
      log: pino({ level: "silent" }),
      databaseUrl: database.serviceUrl,
      connectionsMax: 5,
      instanceId: "test",
      leaseMs: LEASE_MS,
      queuePollMs: 50,
      providers: () => ["neon"],
    });
    await durable.launch({ work: (context, of) => body(context, of) });
  });

  afterAll(async () => {
    await durable.close();
    await db.destroy();
  });

  const input = () => ({ tenantId, operationId: newId("op") });

  const insertExecutor =
    (executorId: string) =>
    async (tx: Parameters<typeof withTransaction>[2] extends (tx: infer Tx) => unknown ? Tx : never) => {
      await tx
        .insertInto("workflowExecutors")
        .values({ executorId, leaseExpiresAt: new Date(Date.now() + 60_000) })
        .execute();
      return executorId;
    };

  /**
   * Renews the lease as the background job does. A process takes over workflows only after its own lease has been valid
   * for `LEASE_MS`.
   */
  async function renewFor(durationMs: number): Promise<void> {
    for (const end = Date.now() + durationMs; Date.now() < end; ) {
      await durable.renewLease();
      await sleep(durable.leaseRenewedEveryMs);
    }
  }

  const expireLeases = (...executorIds: string[]) =>
    db
      .updateTable("workflowExecutors")
      .set({ leaseExpiresAt: new Date(0) })
      .where("executorId", "in", executorIds)
      .execute();

  const hasExecutor = async (executorId: string) =>
    (await db.selectFrom("workflowExecutors").selectAll().where("executorId", "=", executorId).execute()).length;

  it("repeats a call while the database is unavailable, and does not store the failures", async () => {
    const outcomes: unknown[] = [];
    let calls = 0;
    body = async (context) => {
      const call = context.call("forget", async () => {
        calls += 1;
        if (calls < 3) throw new AppError("service_unavailable");
        return "forgotten";
      });
      outcomes.push(await call.catch((error: unknown) => error));
    };

    await durable.run("work", input(), 10_000);

    expect(outcomes).toEqual(["forgotten"]);
    expect(calls).toBe(3);
  });

  it("runs a database step once, and returns its stored result to a second start of the same workflow", async () => {
    const name = randomUUID();
    const seen: string[] = [];
    body = async (context) => {
      seen.push(await context.transaction("insert", insertExecutor(name)));
    };
    const work = input();

    await durable.run("work", work, 5_000);
    await durable.run("work", work, 5_000);

    expect(seen).toEqual([name]);
    expect(await hasExecutor(name)).toBe(1);
  });

  it("releases the caller when the workflow calls releaseCallers, and continues", async () => {
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const name = randomUUID();
    body = async (context) => {
      context.releaseCallers();
      await context.call("wait", async () => {
        await blocked;
        return null;
      });
      await context.transaction("insert", insertExecutor(name));
    };

    await durable.run("work", input(), 60_000);

    expect(await hasExecutor(name)).toBe(0);
    release();
    await expect.poll(() => hasExecutor(name)).toBe(1);
  });

  it("takes over the workflow of a process whose lease has expired, and commits each step once", async () => {
    const name = randomUUID();
    let release = () => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    let tries = 0;
    let executions = 0;
    let firstEnded = () => {};
    const end = new Promise<void>((resolve) => {
      firstEnded = resolve;
    });
    body = async (context) => {
      executions += 1;
      const isFirst = executions === 1;
      try {
        await context.transaction("insert", insertExecutor(name));
        await context.call("outside", async () => {
          tries += 1;
          if (isFirst) await first;
          return tries;
        });
        // Each execution inserts a different name. If both executions committed this step, the test would find two
        // rows.
        await context.transaction("insert again", insertExecutor(`${name}-${randomUUID()}`));
      } finally {
        if (isFirst) firstEnded();
      }
    };
    const committedAgain = async () =>
      (await db.selectFrom("workflowExecutors").select("executorId").where("executorId", "like", `${name}-%`).execute())
        .length;
    const work = input();
    await durable.run("work", work, 200);
    await renewFor(2 * LEASE_MS);
    await expireLeases("test", "reaper");

    expect(await durable.takeOverAbandonedWorkflows()).toBe(1);
    await durable.renewLease();

    await expect.poll(committedAgain, { timeout: 5_000 }).toBe(1);
    // The first execution resumes. It must not commit anything.
    release();
    await end;
    expect(await committedAgain()).toBe(1);
    expect([await hasExecutor(name), tries]).toEqual([1, 2]);
  });

  it("takes nothing over from a process with a valid lease", async () => {
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    body = async (context) => {
      await context.call("wait", async () => {
        await blocked;
        return null;
      });
    };
    await durable.run("work", input(), 200);
    await durable.renewLease();
    await renewFor(2 * LEASE_MS);
    await expireLeases("reaper");

    expect(await durable.takeOverAbandonedWorkflows()).toBe(0);
    release();
  });

  /** Inserts 1,000 workflows that were created before all others. */
  const insertWorkflows = (status: string, executorId: string) =>
    sql`insert into dbos.workflow_status
        (workflow_uuid, status, name, executor_id, application_version, created_at, updated_at, completed_at)
      select ${executorId} || n, ${status}, 'work', ${executorId}, '1', 0, 0, 1
      from generate_series(1, 1000) as n`.execute(db);

  it("leaves workflows of another process's providers, and takes those that such a process left in its queue", async () => {
    const runs: string[] = [];
    body = async (_context, { operationId }) => {
      runs.push(operationId);
      if (runs.filter((id) => id === operationId).length === 1) await new Promise(() => {});
    };
    const abandon = async (provider: string, status: string) => {
      const work = input();
      await asSuperuser(database.superuserUrl, (client) =>
        client.query(`set session_replication_role = replica;
          insert into services (tenant_id, service_id, project_id, mode, link_id, provider, service, name, plan, region,
              config, status, environments, env_names, price_cents, billed_by, metadata, created_at, updated_at)
            values ('${tenantId}', 'srv_${work.operationId}', 'proj_1', 'live', 'lnk_1', '${provider}', '', '${work.operationId}',
              '', '', '{}', 'active', '{}', '{}', 0, 'vendor', '{}', now(), now());
          insert into operations (tenant_id, operation_id, project_id, service_id, mode, type, subject_type, subject_id,
              status, actor, created_at, updated_at)
            values ('${tenantId}', '${work.operationId}', 'proj_1', 'srv_${work.operationId}', 'live', 'work', 'service',
              'srv_${work.operationId}', 'running', '{}', now(), now())`),
      );
      await durable.run("work", work, 100);
      await sql`update dbos.workflow_status set status = ${status}, executor_id = 'gone', updated_at = 0,
        queue_name = 'purser acme neon' where workflow_uuid = ${work.operationId}`.execute(db);
      return work.operationId;
    };
    const own = [await abandon("neon", "PENDING"), await abandon("neon", "ENQUEUED")];
    const foreign = [await abandon("acme", "PENDING"), await abandon("acme", "ENQUEUED")];
    await renewFor(2 * LEASE_MS);
    await expireLeases("reaper");

    expect(await durable.takeOverAbandonedWorkflows()).toBe(2);

    await expect.poll(() => runs.slice(4).toSorted(), { timeout: 5_000 }).toEqual(own.toSorted());
    const { rows } = await sql<{ readonly status: string }>`select status from dbos.workflow_status
      where workflow_uuid = any(${foreign}::text[]) order by status`.execute(db);
    expect(rows.map(({ status }) => status)).toEqual(["ENQUEUED", "PENDING"]);

    // Another process can win the lease, and take over what this one has left.
    await durable.renewLease();
    await expireLeases("reaper");
    expect(await durable.takeOverAbandonedWorkflows()).toBe(0);
    const reaper = { executorId: "reaper", leaseMs: LEASE_MS, isOwn: false };
    expect(await takeLease(db, reaper)).toBe(true);
  });

  it("takes over a workflow that was created after 1,000 workflows of a process with a valid lease", async () => {
    const living = randomUUID();
    await db
      .insertInto("workflowExecutors")
      .values({ executorId: living, leaseExpiresAt: new Date(Date.now() + 60_000) })
      .execute();
    await insertWorkflows("PENDING", living);
    let executions = 0;
    const work = input();
    body = async (_context, { operationId }) => {
      if (operationId !== work.operationId) return;
      executions += 1;
      if (executions === 1) await new Promise(() => {});
    };
    await durable.run("work", work, 200);
    await renewFor(2 * LEASE_MS);
    await expireLeases("test", "reaper");

    await durable.takeOverAbandonedWorkflows();
    await durable.renewLease();

    await expect.poll(() => executions, { timeout: 5_000 }).toBe(2);
    await sql`delete from dbos.workflow_status where executor_id = ${living}`.execute(db);
  });

  it("deletes all ended workflows, however many there are", async () => {
    await insertWorkflows("SUCCESS", randomUUID());

    await insertWorkflows("ERROR", randomUUID());

    expect(await durable.deleteEndedWorkflows(new Date(2))).toBe(2_000);
  });

  it("deletes workflows that ended before the given time, and no newer ones", async () => {
    body = async (context) => {
      await context.transaction("note", async () => null);
    };
    const work = input();
    await durable.run("work", work, 5_000);
    // Other tests' workflows may end at the same time, so only this test's workflow is queried.
    const isStored = async () => {
      const { rows } = await sql`
        select from dbos.workflow_status where workflow_uuid = ${work.operationId}`.execute(db);
      return rows.length;
    };

    expect(await durable.deleteEndedWorkflows(new Date(Date.now() - 3_600_000))).toBe(0);
    expect(await isStored()).toBe(1);
    expect(await durable.deleteEndedWorkflows(new Date(Date.now() + 60_000))).toBeGreaterThan(0);
    expect(await isStored()).toBe(0);
  });

  it("deletes the checkpoints of database steps when the workflow ends", async () => {
    body = async (context) => {
      await context.transaction("note", async () => null);
      await context.transaction("note", async () => null);
    };
    const work = input();
    await durable.run("work", work, 5_000);

    const { rows } = await sql`
      select function_num from dbos.transaction_completion
      where workflow_id = ${work.operationId}`.execute(db);
    expect(rows).toEqual([]);
  });

  it("releases both callers if two wait for the same workflow", async () => {
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    body = async (context) => {
      await context.call("wait", async () => {
        await blocked;
        return null;
      });
      context.releaseCallers();
      await context.sleep("long", 3_000);
    };
    const work = input();
    const both = Promise.all([durable.run("work", work, 60_000), durable.run("work", work, 60_000)]);
    release();

    await expect(both).resolves.toBeDefined();
  });

  it("takes nothing over if its own lease has expired, because the other leases may have expired too", async () => {
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    body = async (context) => {
      await context.call("wait", async () => {
        await blocked;
        return null;
      });
    };
    await durable.run("work", input(), 100);
    await sleep(2 * LEASE_MS);

    // All leases have expired. This process takes over nothing until its own lease has been valid for `LEASE_MS`.
    expect(await durable.takeOverAbandonedWorkflows()).toBe(0);
    await renewFor(LEASE_MS / 2);
    expect(await durable.takeOverAbandonedWorkflows()).toBe(0);
    release();
  });

  describe("abandonedForMs", () => {
    it("is null in the first execution, with and without a waiting caller", async () => {
      const seen: (number | null)[] = [];
      body = async ({ abandonedForMs }) => {
        seen.push(abandonedForMs);
      };

      await durable.run("work", input(), 5_000);
      await durable.run("work", input(), 0);

      await expect.poll(() => seen).toEqual([null, null]);
    });

    it("is almost the lease time after a takeover, although the first caller still waits", async () => {
      let release = () => {};
      const blocked = new Promise<void>((resolve) => {
        release = resolve;
      });
      const seen: (number | null)[] = [];
      const work = input();
      body = async ({ abandonedForMs, call }, { operationId }) => {
        // Other tests' workflows are taken over too. They are ignored here.
        if (operationId !== work.operationId) return;
        seen.push(abandonedForMs);
        await call("outside", async () => {
          if (seen.length === 1) await blocked;
          return null;
        });
      };
      await durable.run("work", work, 100);
      const waiting = durable.run("work", work, 10_000);
      await renewFor(2 * LEASE_MS);
      await expireLeases("test", "reaper");

      expect(await durable.takeOverAbandonedWorkflows()).toBeGreaterThan(0);
      await durable.renewLease();

      await expect.poll(() => seen, { timeout: 5_000 }).toEqual([null, LEASE_MS - LEASE_MS / 5]);
      release();
      await waiting;
    });
  });

  describe("deleteWorkflows", () => {
    const engine = () => dumpDatabase(database.superuserUrl, ["dbos"]);

    it("deletes the input and the step results of the given workflow only", async () => {
      const secret = `sealed-${randomUUID()}`;
      const [work, other] = [input(), input()];
      body = async (context, { operationId }) => {
        const result = operationId === work.operationId ? secret : "other";
        await context.call("read", async () => result);
        await context.transaction("note", async () => result);
        await context.sleep("wait", 1);
      };
      await durable.run("work", work, 5_000);
      await durable.run("work", other, 5_000);
      expect(await engine()).toContain(secret);

      await durable.deleteWorkflows([work.operationId]);

      const left = await engine();
      expect(left).not.toContain(secret);
      expect(left).not.toContain(work.operationId);
      expect(left).toContain(other.operationId);
      expect(left).toContain("other");
    });

    it("deletes the checkpoints of a workflow that has not ended", async () => {
      const work = input();
      let release = () => {};
      const blocked = new Promise<void>((resolve) => {
        release = resolve;
      });
      body = async (context) => {
        await context.transaction("note", async () => null);
        await context.call("wait", async () => {
          await blocked;
          return null;
        });
      };
      await durable.run("work", work, 200);
      expect(await engine()).toContain(work.operationId);

      await durable.deleteWorkflows([work.operationId]);

      expect(await engine()).not.toContain(work.operationId);
      release();
    });

    it("does nothing for unknown ids and for an empty list", async () => {
      const before = await engine();

      await durable.deleteWorkflows([input().operationId]);
      await durable.deleteWorkflows([]);

      expect(await engine()).toBe(before);
    });
  });
});
