import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { run } from "../../../test/database.ts";
import {
  allowWaitingForEvents,
  EVENTS_TIMEOUT_MS,
  untilEventsAreReadable,
} from "../../../test/events/until-readable.ts";
import { useHarness } from "../../../test/harness.ts";
import {
  type ReceivedDelivery,
  runWebhookJobs,
  runWebhookJobsUntil,
  useWebhookSink,
} from "../../../test/webhooks/webhook-sink.ts";
import { withTransaction } from "../../db/transaction.ts";
import { runDueWork } from "../../due-work/run-due-work.ts";
import { deliverNewEvents } from "./deliver-events.ts";

const HOUR_S = 3_600;

allowWaitingForEvents();

describe("deliveries of webhooks", () => {
  const harness = useHarness({ environment: { WEBHOOK_ALLOW_LOOPBACK: "yes" } });
  const sink = useWebhookSink();
  type Tenant = Awaited<ReturnType<typeof harness.seedTenant>>;

  // The server of the next test gets nothing of this one.
  afterEach(() =>
    run(
      harness.database.superuserUrl,
      "delete from due_work where kind like '%webhook%'; update webhooks set enabled = false",
    ),
  );

  const create = async (tenant: Tenant, fields: object = {}): Promise<string> => {
    const url = `${sink.url}/${tenant.tenantId}`;
    // What was written before happened before, also if it is read again because of another test's open transaction.
    harness.clock.advanceSeconds(1);
    const { body } = await tenant.post("/webhooks", { url, event_types: ["project.*", "webhook.*"], ...fields });
    return body.webhook_id;
  };
  const project = async (tenant: Tenant, name: string): Promise<string> =>
    (await tenant.post("/projects", { name })).body.project_id;
  const rename = (tenant: Tenant, id: string, name: string) => tenant.patch(`/projects/${id}`, { name });
  const until = (read: () => unknown, value: unknown) => runWebhookJobsUntil(harness.app, read, value);
  const names = () => sink.received.map(({ event }) => event.data.object.name);
  const refuse = (status: number) => (_delivery: ReceivedDelivery, response: ServerResponse) =>
    void response.writeHead(status).end("no");
  const deliveries = async (tenant: Tenant, id: string) => (await tenant.get(`/webhooks/${id}/deliveries`)).body.data;

  it("tries again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then gives up; a replay delivers it", async () => {
    const tenant = await harness.seedTenant();
    const id = await create(tenant);
    sink.answer = refuse(500);
    await project(tenant, "P");
    await until(() => sink.received.length, 1);

    const pauses = [5, 300, 1_800, 2 * HOUR_S, 5 * HOUR_S, 10 * HOUR_S, 10 * HOUR_S];
    for (const [index, seconds] of pauses.entries()) {
      harness.clock.advanceSeconds(seconds - 1);
      await runWebhookJobs(harness.app);
      expect(sink.received).toHaveLength(index + 1);
      harness.clock.advanceSeconds(1 + seconds / 10);
      await runWebhookJobs(harness.app);
      expect(sink.received).toHaveLength(index + 2);
    }
    const [delivery] = await deliveries(tenant, id);
    expect(delivery).toMatchObject({
      ...{ status: "failed", attempts: 8, next_attempt_at: null, response_status: 500, response_body: "no" },
    });
    expect(new Set(sink.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    harness.clock.advanceSeconds(24 * HOUR_S);
    await runWebhookJobs(harness.app);
    expect(sink.received).toHaveLength(8);

    sink.answer = (_delivery, response) => void response.end("yes");
    await tenant.post(`/webhooks/${id}/replay`, { event_ids: [delivery.event_id] });
    await until(() => sink.received.length, 9);

    expect((await deliveries(tenant, id))[0]).toMatchObject({ status: "delivered", attempts: 1, response_body: "yes" });
  });

  it("an event that failed once holds back the later ones of its subject, one that failed twice does not", async () => {
    const tenant = await harness.seedTenant();
    const id = await create(tenant);
    sink.answer = ({ event }, response) =>
      void response.writeHead(event.data.object.name === "poison" ? 500 : 200).end();
    const subject = await project(tenant, "first");
    await until(names, ["first"]);
    await rename(tenant, subject, "poison");
    await rename(tenant, subject, "later");
    await project(tenant, "other");
    // After a page of failures, the clock would have to advance before the next one.
    await untilEventsAreReadable(harness.app);

    await until(() => names().toSorted(), ["first", "other", "poison"]);
    expect((await deliveries(tenant, id)).find((one: { attempts: number }) => one.attempts === 0)).toMatchObject({
      ...{ status: "pending", attempted_at: null },
    });
    harness.clock.advanceSeconds(6);
    await until(() => names().slice(3), ["poison", "later"]);
  });

  it("keeps the order of each subject, and loses nothing, while the server fails half of the time", async () => {
    const tenant = await harness.seedTenant();
    await create(tenant);
    const accepted: string[] = [];
    let calls = 0;
    sink.answer = ({ event }, response) => {
      calls += 1;
      // Each event fails at most once, so nothing passes an earlier event of its subject.
      const isFirst = sink.received.filter((one) => one.event.id === event.id).length === 1;
      if (isFirst && calls % 2 === 0) return void response.writeHead(503).end();
      accepted.push(`${event.subject.id} ${event.sequence}`);
      response.end();
    };
    // More events than one run reads.
    const subjects = await Promise.all(Array.from({ length: 12 }, (_, index) => project(tenant, `P${index}`)));
    for (let step = 1; step <= 10; step += 1) {
      await Promise.all(subjects.map((subject, index) => rename(tenant, subject, `${index} ${step}`)));
    }

    const step = async () => {
      await runWebhookJobs(harness.app);
      harness.clock.advanceSeconds(6);
      return accepted.length;
    };
    await expect.poll(step, { timeout: EVENTS_TIMEOUT_MS, interval: 5 }).toBe(132);

    for (const subject of subjects) {
      const own = accepted.filter((line) => line.startsWith(subject));
      expect(own).toEqual(Array.from({ length: 11 }, (_, index) => `${subject} ${index + 1}`));
    }
  });

  it("a server that is down is tried once a minute with one event; when it is back, it gets all in their order", async () => {
    const tenant = await harness.seedTenant();
    const id = await create(tenant);
    const other = await project(tenant, "other");
    await until(names, ["other"]);
    sink.answer = refuse(502);
    const subject = await project(tenant, "1");
    await until(() => sink.received.length, 2);
    for (let step = 2; step <= 150; step += 1) await rename(tenant, step % 2 === 0 ? subject : other, String(step));

    for (let minute = 0; minute < 60; minute += 1) {
      harness.clock.advanceSeconds(60);
      await runWebhookJobs(harness.app);
    }
    expect((await tenant.get(`/webhooks/${id}`)).body.failing_since).not.toBeNull();
    expect(sink.received.length).toBeLessThan(100);
    const accepted: string[] = [];
    sink.answer = ({ event }, response) => {
      accepted.push(`${event.subject.id} ${event.sequence}`);
      response.end();
    };
    harness.clock.advanceSeconds(60);
    await until(() => accepted.length, 150);

    for (const [one, from] of [
      [subject, 1],
      [other, 2],
    ] as const) {
      const own = accepted.filter((line) => line.startsWith(one));
      expect(own).toEqual(Array.from(own, (_, index) => `${one} ${index + from}`));
    }
    expect((await tenant.get(`/webhooks/${id}`)).body.failing_since).toBeNull();
  });

  it.each([
    ["one event", 1],
    ["so many events that it seems to be down", 10],
  ])("a server that refuses %s gets the others", async (_what, count) => {
    const tenant = await harness.seedTenant();
    await create(tenant);
    sink.answer = ({ event }, response) =>
      void response.writeHead(String(event.data.object.name).startsWith("bad") ? 500 : 200).end();
    for (let n = 0; n < count; n += 1) await project(tenant, `bad ${n}`);
    await untilEventsAreReadable(harness.app);
    await until(() => new Set(names()).size, count);
    for (const pauseSeconds of [6, 400]) {
      harness.clock.advanceSeconds(pauseSeconds);
      await runWebhookJobs(harness.app);
    }

    await project(tenant, "good");
    for (let minute = 1; minute <= 3; minute += 1) {
      await untilEventsAreReadable(harness.app);
      harness.clock.advanceSeconds(60);
      await runWebhookJobs(harness.app);
    }

    expect(names()).toContain("good");
  });

  it("gives up a delivery of an event that has been deleted", async () => {
    const tenant = await harness.seedTenant();
    const id = await create(tenant);
    sink.answer = refuse(500);
    await project(tenant, "P");
    await until(() => sink.received.length, 1);
    await run(harness.database.superuserUrl, `delete from events where tenant_id = '${tenant.tenantId}'`);
    harness.clock.advanceSeconds(6);

    await runWebhookJobs(harness.app);

    expect(await deliveries(tenant, id)).toMatchObject([{ status: "failed", error: "the event has been deleted" }]);
    expect(await harness.app.db.selectFrom("dueWork").selectAll().where("subject", "=", id).execute()).toEqual([]);
  });

  it("is not disabled by events that it does not want", async () => {
    const tenant = await harness.seedTenant();
    const id = await create(tenant, { event_types: ["project.created"] });
    sink.answer = refuse(500);
    const subject = await project(tenant, "P");
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await until(() => sink.received.length, attempt);
      harness.clock.advanceSeconds(12 * HOUR_S);
    }
    harness.clock.advanceSeconds(100 * HOUR_S);
    await rename(tenant, subject, "Q");
    await runWebhookJobs(harness.app);

    expect((await tenant.get(`/webhooks/${id}`)).body).toMatchObject({ enabled: true });
  });

  it("is disabled after five days without a success, with an email and an event for the other webhooks", async () => {
    const tenant = await harness.seedTenant();
    const id = await create(tenant);
    await create(tenant, { url: `${sink.url}/other`, event_types: ["webhook.disabled"] });
    sink.answer = ({ path }, response) => void response.writeHead(path === "/other" ? 200 : 500).end();
    await project(tenant, "P");
    await until(() => sink.received.length, 1);

    for (let day = 1; day <= 5; day += 1) {
      harness.clock.advanceSeconds(24 * HOUR_S);
      await project(tenant, `day ${day}`);
      await runWebhookJobs(harness.app);
    }
    await until(() => sink.received.at(-1)?.event.type, "webhook.disabled");

    expect((await tenant.get(`/webhooks/${id}`)).body).toMatchObject({ enabled: false, disabled_reason: "failing" });
    expect(sink.received.at(-1)?.event.data.object).toMatchObject({ webhook_id: id, disabled_reason: "failing" });
    await harness.deliverMails();
    expect(harness.mails.at(-1)).toMatchObject({ subject: "Purser has disabled one of your webhooks" });
    const { body } = await tenant.get(`/webhooks/${id}/deliveries?status=pending`);
    expect(body.data).toEqual([]);
  });

  it("is disabled at once by 410", async () => {
    const tenant = await harness.seedTenant();
    const id = await create(tenant);
    sink.answer = refuse(410);
    await project(tenant, "P");
    await until(() => sink.received.length, 1);

    await project(tenant, "Q");
    await runWebhookJobs(harness.app);

    expect((await tenant.get(`/webhooks/${id}`)).body).toMatchObject({ enabled: false, disabled_reason: "gone" });
    expect(sink.received).toHaveLength(1);
  });

  it("is disabled at once by 410 also if it was down before", async () => {
    const tenant = await harness.seedTenant();
    const id = await create(tenant);
    sink.answer = refuse(500);
    await project(tenant, "P");
    await until(() => sink.received.length, 1);
    sink.answer = ({ event }, response) => void response.writeHead(event.data.object.name === "Q" ? 410 : 500).end();
    await project(tenant, "Q");
    await untilEventsAreReadable(harness.app);
    harness.clock.advanceSeconds(60);

    await runWebhookJobs(harness.app);

    expect((await tenant.get(`/webhooks/${id}`)).body).toMatchObject({ enabled: false, disabled_reason: "gone" });
  });

  it("keeps the start of each answer, and less of them if a server sends many long ones", async () => {
    const tenant = await harness.seedTenant();
    const id = await create(tenant);
    let calls = 0;
    sink.answer = (_delivery, response) => {
      calls += 1;
      response.writeHead(calls % 4 === 0 ? 200 : 500).end("x".repeat(100_000));
    };
    for (let n = 0; n < 40; n += 1) await project(tenant, `P${n}`);
    await untilEventsAreReadable(harness.app);
    await until(() => sink.received.length, 40);

    const bodies = (await tenant.get(`/webhooks/${id}/deliveries?limit=100`)).body.data.map(
      (one: { response_body: string }) => one.response_body.length,
    );
    expect(new Set(bodies)).toEqual(new Set([65_536, 1_024]));
    expect(bodies.filter((length: number) => length > 1_024).length).toBeLessThan(20);
  });

  it("a slow server gets the rest at once when a run has taken its time", async () => {
    const tenant = await harness.seedTenant();
    await create(tenant);
    const start = performance.now();
    onTestFinished(() => void vi.restoreAllMocks());
    sink.answer = (_delivery, response) => {
      // After three answers, more time has passed than a run may take.
      const elapsedMs = sink.received.length === 3 ? 21_000 : 0;
      vi.spyOn(performance, "now").mockReturnValue(start + elapsedMs);
      response.end();
    };
    for (let n = 0; n < 10; n += 1) await project(tenant, `P${n}`);

    await until(() => sink.received.length, 10);
  });

  it("a server that does not answer delays no other webhook", async () => {
    const [slow, quick] = [await harness.seedTenant(), await harness.seedTenant()];
    await create(slow);
    const ownId = await create(slow, { url: `${sink.url}/own` });
    const quickId = await create(quick);
    const waiting: ServerResponse[] = [];
    sink.answer = ({ path }, response) => {
      if (path.includes(slow.tenantId)) waiting.push(response);
      else response.end();
    };
    for (let n = 0; n < 20; n += 1) await project(slow, `P${n}`);
    await untilEventsAreReadable(harness.app);
    const running = runWebhookJobsUntil(harness.app, () => waiting.length, 6);
    await expect.poll(() => waiting.length, { timeout: EVENTS_TIMEOUT_MS }).toBe(6);

    await project(quick, "quick");
    await project(slow, "own");
    // The worker that waits for the slow server reads the list again. Another process schedules what is new.
    const others = [
      { tenantId: quick.tenantId, webhookId: quickId },
      { tenantId: slow.tenantId, webhookId: ownId },
    ];
    const isReceived = async () => {
      for (const other of others) await schedule(other);
      const wanted = [`/${quick.tenantId} quick`, "/own own"];
      const received = sink.received.map(({ path, event }) => `${path} ${event.data.object.name}`);
      return wanted.every((one) => received.includes(one));
    };
    await expect.poll(isReceived, { timeout: 8_000 }).toBe(true);

    expect(waiting).toHaveLength(6);
    for (const response of waiting) response.end();
    sink.answer = (_delivery, response) => void response.end();
    await running;
  });

  const schedule = ({
    tenantId,
    webhookId: subject,
  }: {
    readonly tenantId: Tenant["tenantId"];
    readonly webhookId: string;
  }) =>
    withTransaction(harness.app.db, tenantId, (tx) =>
      tx
        .insertInto("dueWork")
        .values({
          tenantId,
          kind: deliverNewEvents.kind,
          subject,
          dueAt: harness.clock.now(),
          firstDueAt: harness.clock.now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );

  it("delivers again what a worker had in hand when it was killed", async () => {
    const tenant = await harness.seedTenant();
    await create(tenant);
    const left = Promise.withResolvers<void>();
    await project(tenant, "P");
    let isKilled = false;
    sink.answer = (_delivery, response) => {
      response.end();
      isKilled = true;
    };
    // The process ends after the delivery, before it writes anything.
    const work = {
      ...deliverNewEvents,
      run: async (...call: Parameters<typeof deliverNewEvents.run>) => {
        const finish = await deliverNewEvents.run(...call);
        if (isKilled) await left.promise;
        return finish;
      },
    };
    const dying = expect
      .poll(
        async () => {
          await schedule({
            tenantId: tenant.tenantId,
            webhookId: (await tenant.get("/webhooks")).body.data[0].webhook_id,
          });
          void runDueWork(harness.app, work);
          return isKilled;
        },
        { timeout: EVENTS_TIMEOUT_MS },
      )
      .toBe(true);
    await dying;
    await runWebhookJobs(harness.app);
    expect(sink.received).toHaveLength(1);

    harness.clock.advanceSeconds(61);
    await until(() => sink.received.length, 2);

    expect(new Set(sink.received.map(({ event }) => event.id)).size).toBe(1);
    left.resolve();
  });

  it("several workers at the same time deliver each event once", async () => {
    const tenant = await harness.seedTenant();
    await create(tenant);
    const subject = await project(tenant, "0");
    for (let step = 1; step <= 20; step += 1) await rename(tenant, subject, String(step));

    const run = async () => {
      await Promise.all([1, 2, 3].map(() => runWebhookJobs(harness.app)));
      return sink.received.length;
    };
    await expect.poll(run, { timeout: EVENTS_TIMEOUT_MS }).toBe(21);

    await run();
    expect(names()).toEqual(Array.from({ length: 21 }, (_, index) => String(index)));
  });
});
