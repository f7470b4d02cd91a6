import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBridgeWebhooks } from "../../../service/src/adapters/vendor-webhooks/bridge-webhooks.ts";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import type { SendWebhook } from "../kit/vendor-simulator.ts";
import { bridgeSimulator } from "./bridge-simulator.ts";
import { webhookPublicKey } from "./events.ts";

type TestVendor = Awaited<ReturnType<typeof startTestVendor>>;
let vendor: TestVendor;
/** A simulator without Bridge's OpenAPI description, which is not available on every machine. */
let withoutContract: TestVendor;
let now = new Date("2026-11-24T10:00:00Z");
const webhooks: Parameters<SendWebhook>[0][] = [];
beforeAll(async () => {
  const sendWebhook: SendWebhook = async (webhook) => {
    webhooks.push(webhook);
  };
  vendor = await startTestVendor(bridgeSimulator({ sendWebhook }), { now: () => now });
  withoutContract = await startTestVendor(bridgeSimulator({ sendWebhook, stepMs: 50 }), { contract: null });
});
afterAll(async () => {
  await vendor.close();
  await withoutContract.close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of many different response bodies.
type AnyBody = any;

async function send(method: string, path: string, headers: Record<string, string>, body?: object, to = vendor) {
  const response = await fetch(`${to.url}/v0${path}`, {
    method,
    headers: { ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as AnyBody };
}
const ACME = { "api-key": "sandbox-acme" };
const TEST = { "api-key": "sk-test-sandbox" };
const get = (path: string, headers: Record<string, string> = TEST, to = vendor) =>
  send("GET", path, headers, undefined, to);
const post = (path: string, body: object, key: string = randomUUID(), to = vendor) =>
  send("POST", path, { ...TEST, "idempotency-key": key }, body, to);
const submit = async (url: string, fields: Record<string, string>) =>
  (await fetch(url, { method: "POST", body: new URLSearchParams(fields) })).status;

const PERSON = { email: "ada@example.com", type: "individual", full_name: "Ada" };
const onRamp = (customer: string, amount: string) => ({
  ...{ amount, on_behalf_of: customer, developer_fee: "0.10" },
  source: { currency: "usd", payment_rail: "wire" },
  destination: { currency: "usdc", payment_rail: "base", to_address: `0x${"ab".repeat(20)}` },
});
async function createTransfer(amount: string, to = vendor) {
  const link = await post("/kyc_links", PERSON, randomUUID(), to);
  return (await post("/transfers", onRamp(link.body.customer_id, amount), randomUUID(), to)).body;
}

describe("Bridge simulator", () => {
  it("200: the list of customers is empty", async () => {
    for (const query of ["", "?limit=1", "?limit=100&email=a@b.c"]) {
      expect(await get(`/customers${query}`, ACME)).toEqual({ status: 200, body: { count: 0, data: [] } });
    }
  });

  it.each([
    {},
    { "api-key": "sandbox-refused" },
    { "api-key": "sk-test-other" },
    { authorization: "Bearer sandbox-acme" },
  ])("401: headers %j", async (headers) => {
    expect(await get("/customers?limit=1", headers)).toMatchObject({
      status: 401,
      body: { code: "invalid_credentials", source: { location: "header", key: "Api-Key" } },
    });
  });

  it.each(["?limit=0", "?limit=101", "?limit=one", "?limits=1"])("400: query %s", async (query) => {
    for (const to of [vendor, withoutContract]) {
      expect(await get(`/customers${query}`, ACME, to)).toMatchObject({
        status: 400,
        body: { code: "invalid_parameters" },
      });
    }
  });

  it("an idempotency key is required for POST only, lasts a day, and belongs to one request", async () => {
    const key = randomUUID();
    const { body } = await post("/kyc_links", PERSON, key);
    const withoutKey = await send("POST", "/kyc_links", TEST, PERSON, withoutContract);
    expect(withoutKey).toMatchObject({ status: 400, body: { source: { key: "Idempotency-Key" } } });
    expect((await get(`/kyc_links/${body.id}`, { ...TEST, "idempotency-key": key })).status).toBe(400);
    expect((await post("/kyc_links", PERSON, key)).body).toEqual(body);
    expect((await post("/kyc_links", { ...PERSON, full_name: "Eve" }, key)).status).toBe(422);
    now = new Date(now.getTime() + 24 * 3_600_000 + 1);
    expect((await post("/kyc_links", PERSON, key)).status).toBe(422);
  });

  it("404: the objects of another account", async () => {
    const link = (await post("/kyc_links", PERSON)).body;
    const transfer = await createTransfer("10.00");
    for (const path of [`/kyc_links/${link.id}`, `/customers/${link.customer_id}`, `/transfers/${transfer.id}`]) {
      expect((await get(path)).status).toBe(200);
      expect((await get(path, ACME)).status).toBe(404);
      expect((await get(path, { "api-key": "sk-live-sandbox" })).status).toBe(404);
    }
  });

  it("the pages of the identity check and the terms make a customer active, who can then move money", async () => {
    const { body: link } = await post("/kyc_links", { ...PERSON, full_name: "Ada Not Started" });
    expect((await post("/transfers", onRamp(link.customer_id, "10.00"))).status).toBe(400);

    expect(await (await fetch(link.kyc_link)).text()).toContain('value="approve"');
    expect(await submit(link.kyc_link, { decision: "perhaps" })).toBe(400);
    for (const url of [link.kyc_link, link.tos_link]) expect(await submit(url, { decision: "approve" })).toBe(200);

    const approved = { kyc_status: "approved", tos_status: "approved" };
    expect((await get(`/kyc_links/${link.id}`)).body).toMatchObject(approved);
    expect((await get(`/customers/${link.customer_id}`)).body).toMatchObject({ status: "active" });
    expect((await post("/transfers", onRamp(link.customer_id, "10.00"))).status).toBe(201);
  });

  it("400: dry_run, a third decimal, a fee of the whole amount, and an account of another customer", async () => {
    const { on_behalf_of: customer } = await createTransfer("10.00");
    const valid = onRamp(customer, "10.00");
    const destination = { currency: "usd", payment_rail: "ach", external_account_id: "ea_1" };
    const source = { currency: "usdc", payment_rail: "base", from_address: `0x${"ab".repeat(20)}` };
    for (const wrong of [{ dry_run: true }, { amount: "10.001" }, { developer_fee: "10" }, { source, destination }]) {
      expect((await post("/transfers", { ...valid, ...wrong })).status).toBe(400);
    }
  });

  it.each([
    ["10.00", ["funds_received", "payment_submitted", "payment_processed", "payment_processed"]],
    ["10.14", ["funds_received", "error", "error"]],
    ["10.15", ["funds_received", "payment_submitted", "undeliverable"]],
    ["10.13", ["funds_received", "payment_submitted", "payment_processed", "returned", "refund_in_flight", "refunded"]],
  ])("a deposit of %s goes through %j, a second each", async (amount, states) => {
    const { id, source_deposit_instructions: instructions } = await createTransfer(amount);
    const { deposit_message } = instructions;
    const url = `${vendor.url}/deposit`;
    expect(await (await fetch(url)).text()).toContain(deposit_message);
    expect(await submit(url, { deposit_message, amount: "9" })).toBe(400);
    expect(await submit(url, { deposit_message, amount })).toBe(200);
    expect(await submit(url, { deposit_message, amount })).toBe(400);

    for (const state of states) {
      expect((await get(`/transfers/${id}`)).body.state).toBe(state);
      now = new Date(now.getTime() + 1_000);
    }
  });

  it("reports each new state of the operator's transfers in signed webhooks, and other events on request", async () => {
    const { id } = await createTransfer("10.00");
    await send("DELETE", `/transfers/${id}`, TEST);
    await vendor.simulator.webhooks?.fire({ type: "transfer.created" }, vendor.context);

    const verifier = createBridgeWebhooks({
      live: null,
      test: await webhookPublicKey(vendor.context, TEST["api-key"]),
    });
    const verify = ({ body, headers }: (typeof webhooks)[number]) =>
      verifier.verify({ rawBody: Buffer.from(body), headers, receivedAt: now });
    const events = (await Promise.all(webhooks.map(verify))).filter((verified) => verified?.event?.objectId === id);
    const types = ["transfer.created", "transfer.updated.status_transitioned", "transfer.created"];
    expect(events.map((verified) => verified?.event?.type)).toEqual(types);
    expect(webhooks.map(({ body }) => JSON.parse(body).event_object_status)).toContain("canceled");
  });

  it("reports each state without a further request", async () => {
    const { id, source_deposit_instructions: instructions } = await createTransfer("10.00", withoutContract);
    const { deposit_message, amount } = instructions;
    await submit(`${withoutContract.url}/deposit`, { deposit_message, amount });

    const reported = () => webhooks.map(({ body }) => JSON.parse(body)).filter((event) => event.event_object_id === id);
    const states = ["awaiting_funds", "funds_received", "payment_submitted", "payment_processed"];
    await expect.poll(() => reported().map((event) => event.event_object_status)).toEqual(states);
  });
});
