import { describe, expect, it } from "vitest";
import { allowWaitingForEvents, EVENTS_TIMEOUT_MS } from "../../test/events/until-readable.ts";
import { useHarness } from "../../test/harness.ts";
import { systemActor } from "../audit/actors.ts";
import type { Tx } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import { appendEvent } from "./events.ts";
import { type EventCursor, insertEvent, listEventsAfter, listEventsBefore } from "./queries.ts";

allowWaitingForEvents();

describe("listEventsAfter", () => {
  const harness = useHarness();

  const append = (tx: Tx, tenantId: TenantId, subjectId: string, mode: "live" | "test" = "live") =>
    appendEvent(tx, systemActor({ tenantId, mode }), {
      type: "project.updated",
      subject: { type: "project", id: subjectId },
      data: {},
      occurredAt: harness.clock.now(),
    });

  /** Reads the tenant's events in pages, each after the last event of the page before. */
  function readerOf(tenantId: TenantId) {
    const seen: {
      readonly eventId: string;
      readonly subjectId: string;
      readonly sequence: number | null;
    }[] = [];
    let after: EventCursor | null = null;
    return {
      seen,
      readPage: async () => {
        const { items } = await listEventsAfter(harness.app.db, { tenantId, after, limit: 7 });
        seen.push(...items);
        after = items.at(-1) ?? after;
        return items.length;
      },
    };
  }

  /** Reads until `count` events were seen. Transactions of other test files can delay what is read. */
  const readUntil = ({ seen, readPage }: ReturnType<typeof readerOf>, count: number) =>
    expect
      .poll(
        async () => {
          await readPage();
          return seen.length;
        },
        { timeout: EVENTS_TIMEOUT_MS },
      )
      .toBe(count);

  const sequencesOf = ({ seen }: ReturnType<typeof readerOf>, subjectId: string) =>
    seen.filter((event) => event.subjectId === subjectId).map(({ sequence }) => sequence);

  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it("misses no event of eight writers whose transactions commit late or roll back", async () => {
    const tenantId = newId("dev");
    const COMMITS_EACH = 30;
    let quickCommits = 0;
    let fiveQuickCommits = Promise.withResolvers<void>();
    const countQuickCommit = () => {
      quickCommits += 1;
      if (quickCommits % 5 > 0) return;
      fiveQuickCommits.resolve();
      if (quickCommits < 4 * COMMITS_EACH) fiveQuickCommits = Promise.withResolvers<void>();
    };
    const rollBack = (writer: number) =>
      withTransaction(harness.app.db, tenantId, async (tx) => {
        await append(tx, tenantId, `proj_${writer}`);
        throw new Error("undone");
      });
    /** Writes to a subject of its own, and to a subject that all writers share. A late writer waits in between. */
    const write = async (writer: number, isLate: boolean) => {
      for (let step = 1; step <= COMMITS_EACH; step += 1) {
        await expect(rollBack(writer)).rejects.toThrow("undone");
        await withTransaction(harness.app.db, tenantId, async (tx) => {
          await append(tx, tenantId, `proj_${writer}`);
          if (isLate) await fiveQuickCommits.promise;
          await append(tx, tenantId, "proj_shared");
        });
        if (!isLate) countQuickCommit();
      }
    };
    const reader = readerOf(tenantId);
    let isWriting = true;
    const reading = (async () => {
      while (isWriting) await reader.readPage();
    })();

    await Promise.all(upTo(8).map((writer) => write(writer, writer > 4)));
    isWriting = false;
    await reading;
    await readUntil(reader, 2 * 8 * COMMITS_EACH);

    expect(new Set(reader.seen.map(({ eventId }) => eventId)).size).toBe(reader.seen.length);
    for (const writer of upTo(8)) {
      expect(sequencesOf(reader, `proj_${writer}`)).toEqual(upTo(COMMITS_EACH));
    }
    // A late writer's first write is early and its number of the shared subject is late, so only the numbers are compared.
    expect(sequencesOf(reader, "proj_shared").toSorted((a, b) => Number(a) - Number(b))).toEqual(
      upTo(8 * COMMITS_EACH),
    );
  });

  it("returns nothing of a later transaction while an earlier one is open, then both in order", async () => {
    const tenantId = newId("dev");
    const reader = readerOf(tenantId);
    const early = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const held = withTransaction(harness.app.db, tenantId, async (tx) => {
      await append(tx, tenantId, "proj_early");
      early.resolve();
      await released.promise;
    });
    await early.promise;
    await withTransaction(harness.app.db, tenantId, (tx) => append(tx, tenantId, "proj_late"));

    const read = await reader.readPage();
    released.resolve();
    await held;

    expect(read).toBe(0);
    await readUntil(reader, 2);
    expect(reader.seen.map(({ subjectId }) => subjectId)).toEqual(["proj_early", "proj_late"]);
  });

  it("returns an event whose id is older than the cursor's, because its transaction wrote it later", async () => {
    const tenantId = newId("dev");
    const eventId = newId("evt");
    const reader = readerOf(tenantId);
    await withTransaction(harness.app.db, tenantId, (tx) => append(tx, tenantId, "proj_quick"));
    await readUntil(reader, 1);

    await withTransaction(harness.app.db, tenantId, (tx) =>
      insertEvent(tx, {
        ...systemActor({ tenantId }),
        eventId,
        type: "project.updated",
        subjectType: "project",
        subjectId: "proj_slow",
        isCounted: true,
        sequence: null,
        data: {},
        occurredAt: harness.clock.now(),
      }),
    );
    await readUntil(reader, 2);

    expect(reader.seen.map(({ subjectId }) => subjectId)).toEqual(["proj_quick", "proj_slow"]);
    expect(eventId < String(reader.seen[0]?.eventId)).toBe(true);
  });

  it("returns the events of one tenant, and of one mode if a mode is given", async () => {
    const [tenantId, other] = [newId("dev"), newId("dev")];
    await withTransaction(harness.app.db, other, (tx) => append(tx, other, "proj_other"));
    await withTransaction(harness.app.db, tenantId, async (tx) => {
      await append(tx, tenantId, "proj_live");
      await append(tx, tenantId, "proj_test", "test");
    });
    const subjectsOf = async (mode?: "live" | "test") =>
      (
        await listEventsAfter(harness.app.db, {
          tenantId,
          ...(mode && { mode }),
          after: null,
          limit: 10,
        })
      ).items.map(({ subjectId }) => subjectId);

    await expect.poll(() => subjectsOf(), { timeout: EVENTS_TIMEOUT_MS }).toEqual(["proj_live", "proj_test"]);
    expect(await subjectsOf("live")).toEqual(["proj_live"]);
    expect(await subjectsOf("test")).toEqual(["proj_test"]);
  });

  it("returns shorter pages of long events, and misses none", async () => {
    const tenantId = newId("dev");
    const data = { text: "x".repeat(60_000) };
    await withTransaction(harness.app.db, tenantId, async (tx) => {
      for (let index = 0; index < 50; index += 1) {
        await appendEvent(tx, systemActor({ tenantId, mode: "live" }), {
          type: "project.updated",
          subject: { type: "project", id: "proj_long" },
          data,
          occurredAt: harness.clock.now(),
        });
      }
    });
    const read = async (list: typeof listEventsAfter) => {
      const pages: number[] = [];
      let after: EventCursor | null = null;
      for (let hasMore = true; hasMore; ) {
        const page = await list(harness.app.db, { tenantId, mode: "live", after, limit: 100 });
        pages.push(page.items.length);
        after = page.items.at(-1) ?? null;
        hasMore = page.hasMore;
      }
      return pages;
    };

    const sumOf = (pages: readonly number[]) => pages.reduce((sum, length) => sum + length, 0);
    for (const list of [listEventsAfter, listEventsBefore]) {
      await expect.poll(async () => sumOf(await read(list)), { timeout: EVENTS_TIMEOUT_MS }).toBe(50);
      expect(Math.max(...(await read(list)))).toBeLessThan(20);
    }
  });
});
