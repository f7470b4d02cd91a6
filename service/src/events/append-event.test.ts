import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { systemActor } from "../audit/actors.ts";
import type { Tx } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import { appendEvent, type Event, recordEntryAndEvent } from "./events.ts";

describe("appendEvent", () => {
  const harness = useHarness();

  const append = (
    tx: Tx,
    tenantId: TenantId,
    { subjectId = "proj_one", ...event }: Partial<Event> & { readonly subjectId?: string } = {},
  ) =>
    appendEvent(tx, systemActor({ tenantId }), {
      type: "project.updated",
      subject: { type: "project", id: subjectId },
      data: {},
      occurredAt: harness.clock.now(),
      ...event,
    });

  /** Runs `work` in a transaction that stays open until `commit` is called. */
  async function hold(tenantId: TenantId, work: (tx: Tx) => Promise<unknown>) {
    const written = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const ended = withTransaction(harness.app.db, tenantId, async (tx) => {
      await work(tx);
      written.resolve();
      await released.promise;
    });
    await Promise.race([written.promise, ended]);
    return {
      commit: async () => {
        released.resolve();
        await ended;
      },
    };
  }

  const sequencesOf = async (tenantId: TenantId, subjectId = "proj_one") => {
    const rows = await harness.app.db
      .selectFrom("events")
      .select("sequence")
      .where("tenantId", "=", tenantId)
      .where("subjectId", "=", subjectId)
      .orderBy("xid")
      .orderBy("eventId")
      .execute();
    return rows.map(({ sequence }) => sequence);
  };

  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it("writes the event with its actor, mode and request, and shows it when the transaction commits", async () => {
    const tenantId = newId("dev");
    const actor = { ...systemActor({ tenantId, mode: "test" }), requestId: "req_1" };
    const eventsOf = () => harness.app.db.selectFrom("events").selectAll().where("tenantId", "=", tenantId).execute();
    const occurredAt = harness.clock.now();
    const { commit } = await hold(tenantId, (tx) =>
      appendEvent(tx, actor, {
        type: "project.created",
        subject: { type: "project", id: "proj_one" },
        data: [null, { name: "one" }],
        occurredAt,
      }),
    );
    expect(await eventsOf()).toEqual([]);

    await commit();

    expect(await eventsOf()).toEqual([
      {
        tenantId,
        eventId: expect.stringMatching(/^evt_/),
        mode: "test",
        type: "project.created",
        subjectType: "project",
        subjectId: "proj_one",
        sequence: 1,
        data: [null, { name: "one" }],
        actor: actor.actor,
        requestId: "req_1",
        occurredAt,
        xid: expect.stringMatching(/^\d+$/),
      },
    ]);
  });

  it("rolls the event and its number back with the transaction", async () => {
    const tenantId = newId("dev");
    await withTransaction(harness.app.db, tenantId, (tx) => append(tx, tenantId));

    const undone = withTransaction(harness.app.db, tenantId, async (tx) => {
      await append(tx, tenantId);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await sequencesOf(tenantId)).toEqual([1]);
    await withTransaction(harness.app.db, tenantId, (tx) => append(tx, tenantId));

    expect(await sequencesOf(tenantId)).toEqual([1, 2]);
  });

  it("numbers the events of each subject without gaps under eight concurrent writers", async () => {
    const [tenantId, other] = [newId("dev"), newId("dev")];
    const write = async () => {
      for (let step = 0; step < 20; step += 1) {
        await withTransaction(harness.app.db, tenantId, async (tx) => {
          await append(tx, tenantId, { subjectId: "proj_one" });
          await append(tx, tenantId, { subjectId: "proj_two" });
        });
      }
    };

    await Promise.all(Array.from({ length: 8 }, write));
    await withTransaction(harness.app.db, other, (tx) => append(tx, other));

    expect(await sequencesOf(tenantId, "proj_one")).toEqual(upTo(160));
    expect(await sequencesOf(tenantId, "proj_two")).toEqual(upTo(160));
    expect(await sequencesOf(other)).toEqual([1]);
  });

  it("a number given by the caller is stored, and does not change the subject's counter", async () => {
    const tenantId = newId("dev");
    await withTransaction(harness.app.db, tenantId, async (tx) => {
      await append(tx, tenantId, { sequence: 41 });
      await append(tx, tenantId, { sequence: 42n });
      await append(tx, tenantId);
    });

    expect(await sequencesOf(tenantId)).toEqual([41, 42, 1]);
  });

  const facts = {};
  it.each<[string, (tx: Tx, tenantId: TenantId) => Promise<unknown>]>([
    ["appendEvent", (tx, tenantId) => append(tx, tenantId, { sequence: null })],
    [
      "recordEntryAndEvent",
      (tx, tenantId) =>
        recordEntryAndEvent(
          tx,
          systemActor({ tenantId }),
          {
            action: "env.pulled",
            subject: { type: "project", id: "proj_one" },
            facts,
            occurredAt: harness.clock.now(),
            sequence: null,
          },
          () => facts,
        ),
    ],
  ])("%s: an event without a number does not wait for another event of the subject", async (_name, write) => {
    const tenantId = newId("dev");
    const counted = await hold(tenantId, (tx) => append(tx, tenantId));
    const first = await hold(tenantId, (tx) => write(tx, tenantId));

    const second = await hold(tenantId, (tx) => write(tx, tenantId));
    for (const { commit } of [second, first, counted]) await commit();

    expect((await sequencesOf(tenantId)).toSorted()).toEqual([1, null, null]);
  });

  it("recordEntryAndEvent: the entry and the event share a number's transaction, and the event is counted", async () => {
    const tenantId = newId("dev");
    const subject = { type: "project", id: "proj_one" };
    const occurredAt = harness.clock.now();
    const record = (tx: Tx) =>
      recordEntryAndEvent(
        tx,
        systemActor({ tenantId }),
        { action: "project.updated", subject, facts, occurredAt },
        (auditId) => ({ audit_id: auditId }),
      );

    await withTransaction(harness.app.db, tenantId, (tx) => append(tx, tenantId));
    const auditId = await withTransaction(harness.app.db, tenantId, record);

    const [event] = await harness.app.db
      .selectFrom("events")
      .innerJoin("auditEntries as entry", "entry.tenantId", "events.tenantId")
      .select(["events.type", "events.sequence", "events.data", "entry.auditId", "entry.action"])
      .where("events.tenantId", "=", tenantId)
      .where("sequence", "=", 2)
      .execute();
    expect(event).toEqual({
      type: "project.updated",
      sequence: 2,
      data: { audit_id: auditId },
      auditId,
      action: "project.updated",
    });
  });
});
