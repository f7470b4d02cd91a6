import { plaidSimulator } from "@purser/simulators/plaid/plaid-simulator.ts";
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import { newPlaidKey, startKeyServer } from "../../../test/vendors/plaid-webhook-keys.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { VendorWebhooks } from "../../ports/vendor-webhooks.ts";
import { createPlaidWebhooks } from "./plaid-webhooks.ts";

const NOW = new Date("2026-11-24T10:00:00Z");
const BODY = JSON.stringify({ webhook_type: "ITEM", webhook_code: "ERROR", item_id: "item_1" });
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

type Headers = Readonly<Record<string, string>>;

function verify(webhooks: VendorWebhooks, headers: Headers, { body = BODY, at = NOW } = {}) {
  return webhooks.verify({ rawBody: Buffer.from(body), headers, receivedAt: at });
}

const credentials = (apiUrl: string) => ({ apiUrl, clientId: "client", secret: "secret" });

/** Returns webhooks of live mode whose only key is this one. */
async function openWith(key: Awaited<ReturnType<typeof newPlaidKey>>) {
  const { apiUrl, calls } = await startKeyServer([key]);
  return { webhooks: createPlaidWebhooks({ live: credentials(apiUrl), test: null }), calls };
}

describe("webhooks of Plaid", () => {
  it("rejects a webhook that is six minutes old, or from more than a minute ahead", async () => {
    const key = await newPlaidKey();
    const { webhooks } = await openWith(key);
    const signed = async (seconds: number) => verify(webhooks, await key.sign(BODY, after(seconds)));

    for (const seconds of [-360, -301, 61]) expect(await signed(seconds)).toBeUndefined();
    for (const seconds of [-300, 0, 60]) expect(await signed(seconds)).toMatchObject({ event: {} });
  });

  it("rejects the signature of another key, no signature, and the public key used as a secret", async () => {
    const key = await newPlaidKey();
    const { webhooks } = await openWith(key);
    const { kid } = key.published;
    const other = await newPlaidKey(kid);
    const claims = { request_body_sha256: sha256Hex(BODY), iat: NOW.getTime() / 1_000 };
    const publicKey = await importJWK(key.published, "ES256", { extractable: true });
    const secret = Buffer.from(await exportSPKI(publicKey as Exclude<typeof publicKey, Uint8Array>));
    const unsigned = new UnsecuredJWT(claims).encode();
    const tokens = [
      (await other.sign(BODY, NOW))["plaid-verification"] ?? "",
      unsigned,
      unsigned.replace(/^[^.]*/, Buffer.from(JSON.stringify({ alg: "none", kid })).toString("base64url")),
      await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid }).sign(secret),
      "not a token",
    ];

    for (const token of tokens) expect(await verify(webhooks, { "plaid-verification": token })).toBeUndefined();
    expect(await verify(webhooks, await key.sign(BODY, NOW))).toMatchObject({ event: { objectId: "item_1" } });
  });

  it("rejects a key that has expired, once the key was read again", async () => {
    const key = await newPlaidKey();
    const { webhooks, calls } = await openWith(key);
    const signedAt = async (seconds: number) =>
      verify(webhooks, await key.sign(BODY, after(seconds)), { at: after(seconds) });
    expect(await signedAt(0)).toMatchObject({ event: {} });
    key.published.expired_at = after(1).getTime() / 1_000;

    expect(await signedAt(599)).toMatchObject({ event: {} });
    expect(calls).toHaveLength(1);
    expect(await signedAt(600)).toBeUndefined();
    expect(calls).toHaveLength(2);
  });

  it("asks for unknown keys at most once in 30 seconds, also if many arrive at once", async () => {
    const { apiUrl, calls } = await startKeyServer([]);
    const webhooks = createPlaidWebhooks({ live: credentials(apiUrl), test: null });
    const send = async (at: Date) => verify(webhooks, await (await newPlaidKey()).sign(BODY, at), { at });

    const answers = await Promise.all(Array.from({ length: 20 }, () => send(NOW)));
    expect(new Set(answers)).toEqual(new Set([undefined]));
    await send(after(29));
    expect(calls).toHaveLength(1);
    await send(after(30));
    expect(calls).toHaveLength(2);
  });

  it("throws if a mode does not say whether the key is its own, and no other mode knows it", async () => {
    const key = await newPlaidKey();
    const { apiUrl } = await startKeyServer([key]);
    const down = credentials(await unreachableUrl());
    const headers = await key.sign(BODY, NOW);

    const unanswered = verify(createPlaidWebhooks({ live: down, test: null }), headers);
    await expect(unanswered).rejects.toMatchObject({ failure: "unavailable" });
    const answered = verify(createPlaidWebhooks({ live: down, test: credentials(apiUrl) }), headers);
    expect(await answered).toMatchObject({ event: { mode: "test" } });
  });

  it.each([
    ["AUTH", { item_id: "x" }, { type: "AUTH.CODE", objectType: "item", objectId: "x" }],
    ["SCREENING", { screening_id: "x" }, { type: "SCREENING.CODE", objectType: "screening", objectId: "x" }],
    ["ENTITY_SCREENING", { entity_screening_id: "x" }, { objectType: "screening", objectId: "x" }],
    ["LINK", { item_id: "x" }, null],
    ["ITEM", { item_id: "\0" }, null],
  ])("a webhook of type %s with %j is about %j", async (webhook_type, ids, event) => {
    const key = await newPlaidKey();
    const { webhooks } = await openWith(key);
    const body = JSON.stringify({ webhook_type, webhook_code: "CODE", ...ids });

    expect(await verify(webhooks, await key.sign(body, NOW), { body })).toMatchObject({ event });
  });

  it("the same body at another time is another event", async () => {
    const key = await newPlaidKey();
    const { webhooks } = await openWith(key);
    const idAt = async (at: Date) => (await verify(webhooks, await key.sign(BODY, at)))?.event?.eventId;

    expect(await idAt(NOW)).toBe(await idAt(NOW));
    expect(await idAt(after(1))).not.toBe(await idAt(NOW));
  });

  it("verifies the simulator's webhooks, each in its own mode", async () => {
    const sent: { readonly body: string; readonly headers: Headers }[] = [];
    const secrets = { live: "secret-of-live-mode", test: "secret-of-test-mode" };
    const simulator = plaidSimulator({
      credentials: { clientId: "client", secrets },
      sendWebhook: async (webhook) => void sent.push(webhook),
    });
    const { url: apiUrl, context, close } = await startTestVendor(simulator, { now: () => NOW });
    onTestFinished(close);
    const options = (secret: string) => ({ apiUrl, clientId: "client", secret });
    const webhooks = createPlaidWebhooks({ live: options(secrets.live), test: options(secrets.test) });

    for (const mode of ["live", "test"] as const) {
      const data = { mode, ownerName: "Ada", webhook: "https://purser.example", depositsSettleAt: null };
      await context.objects.insert({ type: "item", id: `item_${mode}`, state: "good", data });
      const eventId = await simulator.webhooks?.fire({ type: "ITEM.ERROR", objectId: `item_${mode}` }, context);

      const { body = "", headers = {} } = sent.at(-1) ?? {};
      const event = { eventId, mode, type: "ITEM.ERROR", objectType: "item", objectId: `item_${mode}` };
      expect(await verify(webhooks, headers, { body })).toEqual({ event });
    }
  });
});
