import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceDatabase, type TestDatabase } from "../../test/database.ts";
import { dumpDatabase } from "../../test/project-seeds.ts";
import { type Db, openDatabase } from "../db/database.ts";
import type { withTransaction } from "../db/transaction.ts";
import { newId } from "../foundation/ids.ts";
import { createDbosExecution } from "./dbos-execution.ts";
import type { DurableContext, DurableExecution, WorkflowInput } from "./durable-execution.ts";

const tenantId = newId("dev");
const LEASE_MS = 400;

const stand = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));

describe("durable execution", () => {
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
    async (
      tx: Parameters<typeof withTransaction>[2] extends (tx: infer Tx) => unknown ? Tx : never,
    ) => {
      await tx
        .insertInto("workflowExecutors")
        .values({ executorId, leaseExpiresAt: new Date(Date.now() + 60_000) })
        .execute();
      return executorId;
    };

  /** As the job does. Who has done so for a lease's time may take over what others left. */
  async function renewFor(durationMs: number): Promise<void> {
    for (const end = Date.now() + durationMs; Date.now() < end; ) {
      await durable.renewLease();
      await stand(durable.leaseRenewedEveryMs);
    }
  }

  const expireLeases = (...executorIds: string[]) =>
    db
      .updateTable("workflowExecutors")
      .set({ leaseExpiresAt: new Date(0) })
      .where("executorId", "in", executorIds)
      .execute();

  const hasExecutor = async (executorId: string) =>
    (
      await db
        .selectFrom("workflowExecutors")
        .selectAll()
        .where("executorId", "=", executorId)
        .execute()
    ).length;

  it("does a database step once, and gives its recorded result to a second start of the same workflow", async () => {
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

  it("lets the caller go when the workflow says so, and goes on", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const name = randomUUID();
    body = async (context) => {
      context.answerNow();
      await context.call("wait", async () => {
        await held;
        return null;
      });
      await context.transaction("insert", insertExecutor(name));
    };

    await durable.run("work", input(), 60_000);

    expect(await hasExecutor(name)).toBe(0);
    release();
    await expect.poll(() => hasExecutor(name)).toBe(1);
  });

  it("takes over what a process left whose lease ran out, and does no step twice", async () => {
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
        // Of a name of its own each time: whoever does it once too often is seen.
        await context.transaction("insert again", insertExecutor(`${name}-${randomUUID()}`));
      } finally {
        if (isFirst) firstEnded();
      }
    };
    const committedAgain = async () =>
      (
        await db
          .selectFrom("workflowExecutors")
          .select("executorId")
          .where("executorId", "like", `${name}-%`)
          .execute()
      ).length;
    const work = input();
    await durable.run("work", work, 200);
    await renewFor(2 * LEASE_MS);
    await expireLeases("test", "reaper");

    expect(await durable.takeOver()).toBe(1);
    await durable.renewLease();

    await expect.poll(committedAgain, { timeout: 5_000 }).toBe(1);
    // The first execution wakes up, and must not do anything any more.
    release();
    await end;
    expect(await committedAgain()).toBe(1);
    expect([await hasExecutor(name), tries]).toEqual([1, 2]);
  });

  describe("a workflow of another version", () => {
    const change = (operationId: string, to: { version: string; status?: string }) =>
      sql`update dbos.workflow_status set application_version = ${to.version},
          status = ${to.status ?? "PENDING"}, executor_id = 'gone', updated_at = 0
          where workflow_uuid = ${operationId}`.execute(db);

    /** A workflow whose process died after the first of two steps. Gives how often each was done, and what it was told. */
    async function abandon(left: { version: string; status?: string }) {
      const done: string[] = [];
      const told: string[] = [];
      const abandonedForMs: (number | null)[] = [];
      let isAlive = true;
      body = async (context, { operationId }) => {
        abandonedForMs.push(context.abandonedForMs);
        // Under another name, and with another result, than the version of now has for its first step.
        const first = isAlive ? "one" : "first";
        told.push(await context.transaction(first, async () => (isAlive ? "old" : "new")));
        done.push("first");
        if (isAlive) {
          isAlive = false;
          await change(operationId, left);
          await new Promise(() => {});
        }
        await context.call("second", async () => {
          done.push("second");
          return null;
        });
      };
      const work = input();
      await durable.run("work", work, 200);
      await renewFor(2 * LEASE_MS);
      await expireLeases("reaper");
      return { done, told, abandonedForMs };
    }

    it.each([
      ["abandoned", "PENDING"],
      ["queued for a version without processes", "ENQUEUED"],
      ["cancelled by a process that died before it restarted it", "CANCELLED"],
    ])("is restarted if the version is older and the workflow was %s", async (_how, status) => {
      const { done, told, abandonedForMs } = await abandon({ version: "1", status });

      expect(await durable.takeOver()).toBe(1);

      await expect.poll(() => done, { timeout: 5_000 }).toEqual(["first", "first", "second"]);
      expect(told).toEqual(["old", "new"]);
      expect(abandonedForMs).toEqual([null, expect.any(Number)]);
    });

    it("is left to the newer version", async () => {
      const { done } = await abandon({ version: "99", status: "ENQUEUED" });

      expect(await durable.takeOver()).toBe(0);
      await stand(4 * 50);
      expect(done).toEqual(["first"]);
    });
  });

  it("takes nothing over from a process that lives", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    body = async (context) => {
      await context.call("wait", async () => {
        await held;
        return null;
      });
    };
    await durable.run("work", input(), 200);
    await durable.renewLease();
    await renewFor(2 * LEASE_MS);
    await expireLeases("reaper");

    expect(await durable.takeOver()).toBe(0);
    release();
  });

  it("forgets what ended long ago, and nothing that is newer", async () => {
    body = async (context) => {
      await context.transaction("note", async () => null);
    };
    const work = input();
    await durable.run("work", work, 5_000);
    // Workflows of other tests may end meanwhile, so this looks for its own.
    const kept = async () => {
      const { rows } = await sql`
        select from dbos.workflow_status where workflow_uuid = ${work.operationId}`.execute(db);
      return rows.length;
    };

    expect(await durable.forgetEnded(new Date(Date.now() - 3_600_000))).toBe(0);
    expect(await kept()).toBe(1);
    expect(await durable.forgetEnded(new Date(Date.now() + 60_000))).toBeGreaterThan(0);
    expect(await kept()).toBe(0);
  });

  it("keeps no check marks of a workflow that has ended", async () => {
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

  it("lets both callers go, where two wait for the same workflow", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    body = async (context) => {
      await context.call("wait", async () => {
        await held;
        return null;
      });
      context.answerNow();
      await context.sleep("long", 3_000);
    };
    const work = input();
    const both = Promise.all([
      durable.run("work", work, 60_000),
      durable.run("work", work, 60_000),
    ]);
    release();

    await expect(both).resolves.toBeDefined();
  });

  it("takes nothing over when it was out of reach itself: the others may have been too", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    body = async (context) => {
      await context.call("wait", async () => {
        await held;
        return null;
      });
    };
    await durable.run("work", input(), 100);
    await stand(2 * LEASE_MS);

    // Nobody has renewed a lease meanwhile, the one whose work it is no more than anybody else.
    expect(await durable.takeOver()).toBe(0);
    await renewFor(LEASE_MS / 2);
    expect(await durable.takeOver()).toBe(0);
    release();
  });

  describe("how long a workflow was left", () => {
    it("is null to its first execution, whether or not anybody waits for it", async () => {
      const seen: (number | null)[] = [];
      body = async ({ abandonedForMs }) => {
        seen.push(abandonedForMs);
      };

      await durable.run("work", input(), 5_000);
      await durable.run("work", input(), 0);

      await expect.poll(() => seen).toEqual([null, null]);
    });

    it("is a lease's time to the one who takes it over, though somebody waits for it there", async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const seen: (number | null)[] = [];
      const work = input();
      body = async ({ abandonedForMs, call }, { operationId }) => {
        // What other tests have left is taken over too.
        if (operationId !== work.operationId) return;
        seen.push(abandonedForMs);
        await call("outside", async () => {
          if (seen.length === 1) await held;
          return null;
        });
      };
      await durable.run("work", work, 100);
      const waiting = durable.run("work", work, 10_000);
      await renewFor(2 * LEASE_MS);
      await expireLeases("test", "reaper");

      expect(await durable.takeOver()).toBeGreaterThan(0);
      await durable.renewLease();

      await expect.poll(() => seen, { timeout: 5_000 }).toEqual([null, LEASE_MS - LEASE_MS / 5]);
      release();
      await waiting;
    });
  });

  describe("forgetting", () => {
    const engine = () => dumpDatabase(database.superuserUrl, ["dbos"]);

    it("leaves nothing of a workflow, neither what it was given nor what its steps gave", async () => {
      const secret = `sealed-${randomUUID()}`;
      const [work, other] = [input(), input()];
      body = async (context, { operationId }) => {
        const result = operationId === work.operationId ? secret : "kept";
        await context.call("read", async () => result);
        await context.transaction("note", async () => result);
        await context.sleep("wait", 1);
      };
      await durable.run("work", work, 5_000);
      await durable.run("work", other, 5_000);
      expect(await engine()).toContain(secret);

      await durable.forget([work.operationId]);

      const left = await engine();
      expect(left).not.toContain(secret);
      expect(left).not.toContain(work.operationId);
      expect(left).toContain(other.operationId);
      expect(left).toContain("kept");
    });

    it("leaves no check marks of one that was given up in the middle", async () => {
      const work = input();
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      body = async (context) => {
        await context.transaction("note", async () => null);
        await context.call("wait", async () => {
          await held;
          return null;
        });
      };
      await durable.run("work", work, 200);
      expect(await engine()).toContain(work.operationId);

      await durable.forget([work.operationId]);

      expect(await engine()).not.toContain(work.operationId);
      release();
    });

    it("takes what is not there for forgotten", async () => {
      const before = await engine();

      await durable.forget([input().operationId]);
      await durable.forget([]);

      expect(await engine()).toBe(before);
    });
  });
});
