import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { allowWaitingForEvents, untilEventsAreReadable } from "../../../../test/events/until-readable.ts";
import { useHarness } from "../../../../test/harness.ts";
import { runWebhookJobsUntil, useWebhookSink } from "../../../../test/webhooks/webhook-sink.ts";
import { newId } from "../../../foundation/ids.ts";
import { QUOTAS } from "../../../foundation/wire/quotas.ts";

type Tenant = Awaited<ReturnType<ReturnType<typeof useHarness>["seedTenant"]>>;

allowWaitingForEvents();

describe("/webhooks", () => {
  const harness = useHarness({ environment: { WEBHOOK_ALLOW_LOOPBACK: "yes" } });
  const sink = useWebhookSink();

  const create = async (tenant: Pick<Tenant, "post">, fields: object = {}) => {
    const { status, body } = await tenant.post("/webhooks", { url: sink.url, event_types: ["project.*"], ...fields });
    expect(status).toBe(201);
    return body;
  };
  const until = (read: () => unknown, value: unknown) => runWebhookJobsUntil(harness.app, read, value);

  it("201: the secret is shown once, and deliveries verify with the library of Standard Webhooks", async () => {
    const tenant = await harness.seedTenant();
    const { secret, ...webhook } = await create(tenant);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect((await tenant.get(`/webhooks/${webhook.webhook_id}`)).text).not.toContain(secret);

    const { body: project } = await tenant.post("/projects", { name: "First" });
    await until(() => sink.received.length, 1);

    const [delivery] = sink.received;
    const verified = new Webhook(secret, { toleranceInSeconds: 1e12 } as never);
    expect(() => verified.verify(delivery?.text ?? "", delivery?.headers as Record<string, string>)).not.toThrow(
      /signature/i,
    );
    expect(delivery?.headers["webhook-id"]).toBe(delivery?.event.id);
    expect(delivery?.event).toMatchObject({
      object: "event",
      type: "project.created",
      mode: "live",
      sequence: 1,
      subject: { type: "project", id: project.project_id, version: 1 },
      data: { object: { project_id: project.project_id, name: "First" }, previous: null },
      actor: { type: "developer", id: tenant.tenantId },
    });
  });

  it("shows the former values of what a change has changed", async () => {
    const tenant = await harness.seedTenant();
    await create(tenant, { event_types: ["project.updated"] });
    const { body: project } = await tenant.post("/projects", { name: "Old" });
    await tenant.patch(`/projects/${project.project_id}`, { name: "New" });

    await until(() => sink.received.length, 1);

    const { object, previous } = sink.received[0]?.event.data ?? {};
    expect([object.name, previous.name, previous.project_id]).toEqual(["New", "Old", undefined]);
  });

  it("201: sends only the events of the types, projects and agents that it names, and of its mode", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const [one, two] = [await postAgent(tenant), await postAgent(tenant)];
    const { body: project } = await tenant.post("/projects", { name: "One" });
    // What was written before is read too, if another test's transaction is open: its time says that it happened before.
    harness.clock.advanceSeconds(1);
    await create(tenant, { url: `${sink.url}/agent`, event_types: ["*"], agent_ids: [one.agent_id.toUpperCase()] });
    await create(tenant, { url: `${sink.url}/project`, event_types: ["project.*"], project_ids: [project.project_id] });
    await create(test, { url: `${sink.url}/test`, event_types: ["agent.created"] });

    await tenant.post(`/agents/${one.agent_id}/suspend`, {});
    await tenant.post(`/agents/${two.agent_id}/suspend`, {});
    await tenant.patch(`/projects/${project.project_id}`, { description: "changed" });
    await tenant.post("/projects", { name: "Two" });
    const agentOfTest = await postAgent(test);

    const seen = () =>
      sink.received
        .map(({ path, event }) => `${path} ${event.type} ${event.subject.id}`)
        .filter((line) => !line.includes(" policy."))
        .toSorted();
    await until(seen, [
      `/agent agent.suspended ${one.agent_id}`,
      `/project project.updated ${project.project_id}`,
      `/test agent.created ${agentOfTest.agent_id}`,
    ]);
  });

  it.each([
    ["a private address", "https://10.0.0.1/hook"],
    ["a link-local address, where clouds keep credentials", "https://169.254.169.254/latest/meta-data"],
    ["a decimal address", "https://2852039166/"],
    ["an octal address", "https://0251.0376.0251.0376/"],
    ["an IPv4-mapped address", "https://[::ffff:10.0.0.1]/"],
    ["an IPv4 address in NAT64", "https://[64:ff9b::a9fe:a9fe]/"],
    ["a unique local address", "https://[fd00::1]/"],
    ["a carrier's address", "https://100.64.0.1/"],
    ["no address", "https://0.0.0.0/"],
    ["a user name", "https://user:secret@example.com/"],
    ["another protocol", "ftp://example.com/"],
  ])("422: %s", async (_what, url) => {
    const tenant = await harness.seedTenant();
    const { status, body } = await tenant.post("/webhooks", { url, event_types: ["*"] });
    expect([status, body.errors[0].pointer]).toEqual([422, "/body/url"]);
  });

  it.each([
    ["an unknown project", { project_ids: ["proj_unknown"] }, "/body/project_ids/0"],
    ["an unknown agent", { agent_ids: ["6f1e3c40-5a0a-4c8e-9d8b-111111111111"] }, "/body/agent_ids/0"],
    ["no types", { event_types: [] }, "/body/event_types"],
    ["a type that is none", { event_types: ["payment"] }, "/body/event_types/0"],
    ["an event that never happens", { event_types: ["payment.*", "payment.confirmd"] }, "/body/event_types/1"],
  ])("422: %s", async (_what, fields, pointer) => {
    const tenant = await harness.seedTenant();
    const { status, body } = await tenant.post("/webhooks", { url: sink.url, event_types: ["*"], ...fields });
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it("409: more than 100 webhooks, also if they are created at the same time", async () => {
    const tenant = await harness.seedTenant();
    const { max } = QUOTAS.webhooks;
    await Promise.all(Array.from({ length: max - 1 }, (_, n) => create(tenant, { url: `${sink.url}/${n}` })));

    const answers = await Promise.all(
      [1, 2, 3].map((n) => tenant.post("/webhooks", { url: `${sink.url}/more/${n}`, event_types: ["*"] })),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const { body } = await tenant.get("/webhooks?limit=100");
    expect([body.data.length, body.has_more]).toEqual([max, false]);
  });

  it("200: after a rotation, deliveries are signed with both secrets for 24 hours", async () => {
    const tenant = await harness.seedTenant();
    const { webhook_id, secret } = await create(tenant);
    const signatures = async (name: string) => {
      const before = sink.received.length;
      await tenant.post("/projects", { name });
      await until(() => sink.received.length, before + 1);
      return String(sink.received.at(-1)?.headers["webhook-signature"]).split(" ").length;
    };

    const { status, body } = await tenant.post(`/webhooks/${webhook_id}/rotate-secret`, {});
    expect([status, body.secret === secret]).toEqual([200, false]);
    expect(await signatures("during")).toBe(2);
    await tenant.post(`/webhooks/${webhook_id}/rotate-secret`, {});
    expect(await signatures("after another one")).toBe(2);
    harness.clock.advanceSeconds(24 * 3_600);

    expect(await signatures("after")).toBe(1);
  });

  it("the audit trail has the change, without what the URL may contain", async () => {
    const tenant = await harness.seedTenant();
    const id = (await tenant.post("/webhooks", { url: sink.url, event_types: ["*"] })).body.webhook_id;
    await tenant.patch(`/webhooks/${id}`, { url: "https://other.example/hooks?token=1", event_types: ["payment.*"] });

    const entries = await harness.app.db
      .selectFrom("auditEntries")
      .select("facts")
      .where("action", "=", "webhook.updated")
      .where("tenantId", "=", tenant.tenantId)
      .execute();
    const facts = { origin: "https://other.example", event_types: ["payment.*"], enabled: true };
    expect(entries).toEqual([{ facts }]);
  });

  it("409 secret_already_issued: a repeated creation makes no second webhook", async () => {
    const tenant = await harness.seedTenant();
    const headers = { "idempotency-key": crypto.randomUUID() };
    const send = () => tenant.post("/webhooks", { url: sink.url, event_types: ["*"] }, { headers });
    await send();

    expect((await send()).body.code).toBe("secret_already_issued");
    expect((await tenant.get("/webhooks")).body.data).toHaveLength(1);
  });

  it("200: a test event is sent at once, also to a disabled webhook, and answers what the server said", async () => {
    const tenant = await harness.seedTenant();
    const { webhook_id } = await create(tenant, { enabled: false });
    sink.answer = (_delivery, response) => void response.writeHead(503).end("later");

    const { status, body } = await tenant.post(`/webhooks/${webhook_id}/test`, {});

    expect([status, body]).toMatchObject([
      200,
      { status: "failed", attempts: 1, response_status: 503, response_body: "later", event_type: "webhook.test" },
    ]);
    expect(sink.received[0]?.event.type).toBe("webhook.test");
  });

  it("429: more than 10 test events within a minute", async () => {
    const tenant = await harness.seedTenant();
    const { webhook_id } = await create(tenant);
    const statuses = [];
    for (let n = 0; n <= QUOTAS.webhookTests.max; n += 1) {
      statuses.push((await tenant.post(`/webhooks/${webhook_id}/test`, {})).status);
    }
    expect(statuses).toEqual([...Array.from({ length: QUOTAS.webhookTests.max }, () => 200), 429]);
  });

  it("200: a disabled webhook gets nothing, and one that is enabled again gets what happens then", async () => {
    const tenant = await harness.seedTenant();
    const { webhook_id } = await create(tenant);
    await tenant.patch(`/webhooks/${webhook_id}`, { enabled: false });
    await tenant.post("/projects", { name: "missed" });
    harness.clock.advanceSeconds(1);
    await tenant.patch(`/webhooks/${webhook_id}`, { enabled: true });
    await tenant.post("/projects", { name: "seen" });

    await until(() => sink.received.map(({ event }) => event.data.object.name), ["seen"]);
  });

  it("200: a deleted webhook gets nothing", async () => {
    const tenant = await harness.seedTenant();
    const gone = await create(tenant, { url: `${sink.url}/gone` });
    await create(tenant, { url: `${sink.url}/stays` });
    await tenant.post("/projects", { name: "P" });
    expect((await tenant.delete(`/webhooks/${gone.webhook_id}`)).status).toBe(200);

    await until(() => sink.received.map(({ path }) => path), ["/stays"]);
    expect((await tenant.get(`/webhooks/${gone.webhook_id}`)).status).toBe(404);
  });

  describe("replay", () => {
    it("202: delivers the events since a time again, in their order", async () => {
      const tenant = await harness.seedTenant();
      const { webhook_id } = await create(tenant);
      await tenant.post("/projects", { name: "before" });
      harness.clock.advanceSeconds(60);
      const since = harness.clock.now().toISOString();
      for (const name of ["one", "two"]) await tenant.post("/projects", { name });
      await until(() => sink.received.length, 3);
      sink.received.length = 0;

      const { status, body } = await tenant.post(`/webhooks/${webhook_id}/replay`, { since });

      expect([status, body]).toMatchObject([202, { object: "webhook_replay", webhook_id, since, event_ids: [] }]);
      await until(() => sink.received.map(({ event }) => event.data.object.name), ["one", "two"]);
      const work = harness.app.db.selectFrom("dueWork").select("kind").where("subject", "=", webhook_id);
      await until(() => work.execute(), []);
    });

    it("202: delivers events by their ids, also those that the webhook does not want", async () => {
      const tenant = await harness.seedTenant();
      await postAgent(tenant);
      const { webhook_id } = await create(tenant);
      await untilEventsAreReadable(harness.app);
      const { body: events } = await tenant.get("/events?type=agent.created");
      const [{ id }] = events.data;

      await tenant.post(`/webhooks/${webhook_id}/replay`, { event_ids: [id] });

      await until(() => sink.received.map(({ event }) => event.id), [id]);
    });

    it.each([
      ["both", { since: "2026-01-01T00:00:00Z", event_ids: [newId("evt")] }, "/body"],
      ["neither", {}, "/body"],
      ["an event that does not exist", { event_ids: [newId("evt")] }, "/body/event_ids/0"],
    ])("422: %s", async (_what, sent, pointer) => {
      const tenant = await harness.seedTenant();
      const { webhook_id } = await create(tenant);
      const { status, body } = await tenant.post(`/webhooks/${webhook_id}/replay`, sent);
      expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
    });

    it("409: the webhook is disabled", async () => {
      const tenant = await harness.seedTenant();
      const { webhook_id } = await create(tenant, { enabled: false });
      const { status } = await tenant.post(`/webhooks/${webhook_id}/replay`, { since: "2026-01-01T00:00:00Z" });
      expect(status).toBe(409);
    });
  });
});
