import { createHmac, randomUUID } from "node:crypto";
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { useHarness, type Webhook } from "../../../../test/harness.ts";
import { until } from "../../../../test/services.ts";
import { newPlaidKey } from "../../../../test/vendors/plaid-webhook-keys.ts";
import { purgeExpiredRows } from "../../../due-work/retention/purge-expired-rows.ts";

const DAY_SECONDS = 86_400;
const MEBIBYTE = 1_048_576;

describe("POST /vendor-webhooks/{vendor}", () => {
  const harness = useHarness({ vendors: true });

  const refused = {
    status: 401,
    body: { code: "authentication_failed", detail: "Authentication failed.", errors: [] },
  };

  interface Sent {
    readonly eventId?: string;
    readonly secret?: string;
    readonly livemode?: boolean;
    readonly object?: object;
    readonly ageSeconds?: number;
  }

  /** Returns a webhook that is signed by Stripe's SDK. */
  function webhookOf({
    eventId = `evt_${randomUUID()}`,
    secret = harness.sandbox.stripe.webhookSecrets.live,
    livemode = true,
    object = { id: "in_1", object: "invoice" },
    ageSeconds = 0,
  }: Sent = {}): Webhook {
    const body = JSON.stringify({
      ...{ id: eventId, object: "event", type: "invoice.paid", livemode, data: { object } },
    });
    const timestamp = Math.floor(harness.clock.now().getTime() / 1_000) - ageSeconds;
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret,
      timestamp,
    });
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    return { vendor: "stripe", body, headers };
  }

  const stored = (eventId: string) =>
    harness.app.db
      .selectFrom("vendorEvents")
      .select(["mode", "type", "objectType", "objectId"])
      .where("eventId", "=", eventId)
      .execute();

  it("200: stores an event once, however often it arrives", async () => {
    const webhook = webhookOf({ eventId: "evt_repeated" });

    const answers = await Promise.all(Array.from({ length: 100 }, () => harness.deliver(webhook)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]?.body).toEqual({ received: true });
    expect(await stored("evt_repeated")).toEqual([
      { mode: "live", type: "invoice.paid", objectType: "invoice", objectId: "in_1" },
    ]);
  });

  it("200: the endpoints of live and test mode have different secrets", async () => {
    const { test } = harness.sandbox.stripe.webhookSecrets;

    const sent = webhookOf({ eventId: "evt_test", secret: test, livemode: false });
    const mixed = webhookOf({ eventId: "evt_mixed", secret: test, livemode: true });

    expect((await harness.deliver(sent)).status).toBe(200);
    expect(await stored("evt_test")).toMatchObject([{ mode: "test" }]);
    expect(await harness.deliver(mixed)).toMatchObject(refused);
    expect(await stored("evt_mixed")).toEqual([]);
  });

  it("200: an event that Purser does not use is not stored", async () => {
    for (const object of [{ id: "po_1", object: "payout" }, { object: "balance" }]) {
      const eventId = `evt_${object.object}`;
      expect((await harness.deliver(webhookOf({ eventId, object }))).status).toBe(200);
      expect(await stored(eventId)).toEqual([]);
    }
  });

  it("200: an event with NUL, which cannot be stored, is not stored", async () => {
    for (const sent of [{ eventId: "evt_\0" }, { object: { id: "in_\0", object: "invoice" } }]) {
      expect((await harness.deliver(webhookOf({ eventId: "evt_nul", ...sent }))).status).toBe(200);
    }
    expect(await stored("evt_nul")).toEqual([]);
  });

  it("200: verifies the events of the sandbox", async () => {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: randomUUID() });
    const attach = () =>
      tenant.post(`/projects/${body.project_id}/billing/payment-methods`, {
        payment_method_id: "pm_card_visa",
      });
    await until(attach, ({ status }) => status !== 503);
    const fired = await fetch(`${harness.sandbox.url}/api/events`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ vendor: "stripe", type: "setup_intent.succeeded" }),
    });
    const { event_id: eventId } = Object(await fired.json()) as { event_id: string };
    const webhook = await until(
      async () => harness.webhooks.find((sent) => sent.body.includes(eventId)),
      (sent) => sent !== undefined,
    );

    expect((await harness.deliver(webhook as Webhook)).status).toBe(200);

    expect(await stored(eventId)).toMatchObject([{ objectType: "setup_intent" }]);
    // The sandbox also sends events by itself.
    expect(harness.webhooks.map((sent) => JSON.parse(sent.body).type)).toContain("payment_method.attached");
  });

  it("401: the signature is missing, wrong, too old or of another body", async () => {
    const good = webhookOf();
    const { "stripe-signature": signature = "" } = good.headers;
    const timestamp = /t=(\d+)/.exec(signature)?.[1] ?? "";
    const withSignature = (text: string) => ({
      ...good,
      headers: { ...good.headers, "stripe-signature": text },
    });
    const wrong: readonly Webhook[] = [
      { ...good, headers: { "content-type": "application/json" } },
      withSignature(""),
      withSignature("t=1"),
      withSignature(signature.replace("v1=", "v0=")),
      withSignature(signature.replace(/t=\d+/, `t=${Number(timestamp) + 1}`)),
      withSignature(`t=${timestamp},v1=${createHmac("sha256", "").update(good.body).digest("hex")}`),
      webhookOf({ secret: "whsec_another" }),
      webhookOf({ ageSeconds: 301 }),
      { ...good, body: good.body.replace("invoice.paid", "invoice.void") },
      { ...good, body: `${good.body} ` },
      { ...good, body: "not JSON" },
      { ...good, body: "" },
    ];

    for (const webhook of wrong) expect(await harness.deliver(webhook)).toMatchObject(refused);

    expect((await harness.deliver(webhookOf({ ageSeconds: 299 }))).status).toBe(200);
    expect((await harness.deliver(good)).status).toBe(200);
  });

  it("503: the vendor does not say whether a key is its own", async () => {
    const body = JSON.stringify({ webhook_type: "ITEM", webhook_code: "ERROR", item_id: "item_1" });
    const signature = await (await newPlaidKey()).sign(body, harness.clock.now());
    const headers = { "content-type": "application/json", ...signature };
    harness.sandbox.force({ vendor: "plaid", operation: "webhookVerificationKeyGet", outcome: "error_applied" });

    const answer = await harness.deliver({ vendor: "plaid", body, headers });

    expect(answer).toMatchObject({ status: 503, body: { code: "provider_unavailable" } });
  });

  it("401: a signed request of a developer", async () => {
    const tenant = await harness.seedTenant();

    expect(await tenant.post("/vendor-webhooks/stripe", {})).toMatchObject(refused);
  });

  it("404: vendors without webhooks", async () => {
    for (const vendor of ["neon", "supabase", "unknown"]) {
      const answer = await harness.deliver({ ...webhookOf(), vendor });
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });

  it("413: more than 1 MiB", async () => {
    const object = { id: "in_1", object: "invoice", padding: "x".repeat(MEBIBYTE - 1_000) };
    const large = webhookOf({ object });

    expect((await harness.deliver(large)).status).toBe(200);
    expect((await harness.deliver({ ...large, body: large.body + " ".repeat(2_000) })).status).toBe(413);
  });

  it("an event is recognized for 30 days", async () => {
    await harness.deliver(webhookOf({ eventId: "evt_old" }));

    harness.clock.advanceSeconds(30 * DAY_SECONDS);
    await purgeExpiredRows(harness.app);
    expect(await stored("evt_old")).toHaveLength(1);

    harness.clock.advanceSeconds(1);
    await purgeExpiredRows(harness.app);
    expect(await stored("evt_old")).toEqual([]);
  });
});
