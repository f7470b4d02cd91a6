import { beforeEach, describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { withTransaction } from "../db/transaction.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import { VendorError } from "../ports/vendor-error.ts";
import { cancelWork, type DueWork, scheduleWork } from "./due-work.ts";
import type { DueItem } from "./queries.ts";
import { runDueWork } from "./run-due-work.ts";

const LEASE_S = 120;
const DAY_MS = 86_400_000;

describe("due work", () => {
  const harness = useHarness();
  let tenantId: TenantId;
  let calls: string[];
  let written: string[];
  /** Replaces what a call does. */
  let act: (item: DueItem) => Promise<void>;
  beforeEach(async () => {
    tenantId = newId("dev");
    calls = [];
    written = [];
    act = async () => {};
    await Promise.all((await waiting()).map((item) => inTenant(item.tenantId, (tx) => cancelWork(tx, work, item))));
  });

  const work: DueWork = {
    kind: "call-testers",
    everyMs: 1_000,
    retryMs: { first: 60_000, max: 240_000 },
    stopsAtFailure: true,
    run: async (_app, item) => {
      calls.push(item.subject);
      await act(item);
      return async () => written.push(item.subject);
    },
  };
  const inTenant = (owner: TenantId, run: Parameters<typeof withTransaction<void>>[2]) =>
    withTransaction(harness.app.db, owner, run);
  const schedule = (subject: string, { seconds = 0, owner = tenantId } = {}) => {
    const dueAt = new Date(harness.clock.now().getTime() + seconds * 1_000);
    return inTenant(owner, (tx) => scheduleWork(tx, work, { tenantId: owner, subject, dueAt }));
  };
  const waiting = () => harness.app.db.selectFrom("dueWork").selectAll().where("kind", "=", work.kind).execute();
  const run = (changes: Partial<DueWork> = {}) => runDueWork(harness.app, { ...work, ...changes });
  const fail = async () => {
    throw new VendorError("unavailable", { vendor: "tester", operation: "call", vendorMessage: "busy" });
  };

  it("is done once, at its time", async () => {
    await schedule("one", { seconds: 60 });
    expect(await run()).toBe(0);

    harness.clock.advanceSeconds(60);

    expect(await run()).toBe(1);
    expect(await run()).toBe(0);
    expect({ calls, written }).toEqual({ calls: ["one"], written: ["one"] });
    expect(await waiting()).toEqual([]);
  });

  it("is not begun once the process stops", async () => {
    await schedule("one");
    await schedule("two", { seconds: 1 });
    harness.clock.advanceSeconds(1);
    const stopping = new AbortController();
    act = async () => stopping.abort();

    expect(await runDueWork(harness.app, work, stopping.signal)).toBe(1);

    expect(written).toEqual(["one"]);
    expect(await waiting()).toMatchObject([{ subject: "two" }]);
  });

  it("is not done if the transaction that scheduled it is rolled back", async () => {
    const rolledBack = inTenant(tenantId, async (tx) => {
      await scheduleWork(tx, work, { tenantId, subject: "one", dueAt: harness.clock.now() });
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");

    expect(await run()).toBe(0);
  });

  it("is moved by scheduling it again, and ended by canceling it", async () => {
    await schedule("moved");
    await schedule("canceled");
    await schedule("moved", { seconds: 60 });
    await inTenant(tenantId, (tx) => cancelWork(tx, work, { tenantId, subject: "canceled" }));
    expect(await run()).toBe(0);

    harness.clock.advanceSeconds(60);
    await run();

    expect(calls).toEqual(["moved"]);
  });

  it("is tried again after pauses that double up to the longest one", async () => {
    act = fail;
    await schedule("one");

    const tried: number[] = [];
    for (let seconds = 0; seconds <= 660; seconds += 60) {
      if ((await run()) > 0) tried.push(seconds);
      harness.clock.advanceSeconds(60);
    }

    expect(tried).toEqual([0, 60, 180, 420, 660]);
    expect(written).toEqual([]);
    expect(harness.logLines.at(-1)).toContain('"msg":"could not call testers, retrying later"');
    expect(harness.logLines.at(-1)).toContain('"vendorMessage":"busy"');
  });

  it("starts anew when it is scheduled again after a failure", async () => {
    act = fail;
    await schedule("one");
    await run();
    await schedule("one");

    await run();

    expect(await waiting()).toMatchObject([{ attempts: 1 }]);
  });

  it("is given up after a time, with what the kind then writes", async () => {
    act = fail;
    const giveUp: DueWork["giveUp"] = { afterMs: DAY_MS, finish: async () => async () => written.push("given up") };
    await schedule("one");
    await run({ giveUp });
    expect(written).toEqual([]);

    harness.clock.advanceSeconds(DAY_MS / 1_000);
    await run({ giveUp });

    expect(written).toEqual(["given up"]);
    expect(await waiting()).toEqual([]);
    expect(harness.logLines.at(-1)).toContain("could not call testers: operator action required");
  });

  it("is tried again if its result cannot be written", async () => {
    await schedule("one");
    const finish = async () => {
      throw new Error("the row is locked");
    };
    await run({ run: async () => finish });
    harness.clock.advanceSeconds(60);

    await run();

    expect({ calls, written }).toEqual({ calls: ["one"], written: ["one"] });
  });

  it.each([
    ["scheduled again", () => schedule("one", { seconds: 60 }), 1],
    ["canceled", () => inTenant(tenantId, (tx) => cancelWork(tx, work, { tenantId, subject: "one" })), 0],
  ])("writes nothing if it is %s while it is done", async (_what, change, left) => {
    await schedule("one");
    act = async () => change();

    await run();

    expect({ calls, written }).toEqual({ calls: ["one"], written: [] });
    expect(await waiting()).toHaveLength(left);
    act = async () => {};
    harness.clock.advanceSeconds(60);
    expect(await run()).toBe(left);
  });

  it("is scheduled again by what it writes", async () => {
    await schedule("one");
    const dueAt = new Date(harness.clock.now().getTime() + DAY_MS);

    await run({ run: async () => (tx) => scheduleWork(tx, work, { tenantId, subject: "one", dueAt }) });

    expect(await waiting()).toMatchObject([{ dueAt, attempts: 0 }]);
  });

  it.each([
    [LEASE_S, {}],
    [30, { leaseMs: 30_000 }],
  ])("is repeated after a lease of %d seconds if its process was killed", async (leaseSeconds, lease) => {
    await schedule("one");
    const { promise: isCalled, resolve: called } = Promise.withResolvers<void>();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    act = async () => {
      called();
      await isReleased;
    };
    const killed = run(lease);
    await isCalled;
    act = async () => {};

    harness.clock.advanceSeconds(leaseSeconds - 1);
    expect(await run(lease)).toBe(0);
    harness.clock.advanceSeconds(1);
    expect(await run(lease)).toBe(1);
    release();
    await killed;

    expect({ calls, written }).toEqual({ calls: ["one", "one"], written: ["one"] });
  });

  it("is done once by several workers at the same time", async () => {
    const subjects = Array.from({ length: 12 }, (_, number) => `item ${number}`);
    for (const subject of subjects) await schedule(subject);

    await Promise.all([run(), run(), run()]);

    expect(calls.toSorted()).toEqual(subjects.toSorted());
    expect(written).toHaveLength(12);
  });

  it("lets tenants take turns", async () => {
    for (let number = 0; number < 30; number += 1) await schedule(`many ${number}`);
    await schedule("few", { owner: newId("dev") });

    await run();

    expect(calls.indexOf("few")).toBeLessThan(5);
  });

  it("does no more of a tenant's work in a run in which one failed, unless failures are independent", async () => {
    act = fail;
    for (let number = 0; number < 20; number += 1) await schedule(`many ${number}`);
    const other = newId("dev");
    await schedule("other", { owner: other });

    await run();
    expect(calls.toSorted()).toEqual(["many 0", "other"]);

    calls = [];
    await run({ stopsAtFailure: false });
    expect(calls).toHaveLength(19);
  });
});
