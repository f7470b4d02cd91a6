import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it } from "vitest";
import { PurserError, SignatureVerificationError, type WebhookHeaders } from "../src/index.ts";
import { useTestServer } from "./test-server.ts";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(24, 8).toString("base64")}`;
const BODY = '{"object":"event","id":"evt_1","type":"payment.confirmed","data":{"object":{"note":"ü €"}}}';

describe("webhooks.unwrap", () => {
  const test = useTestServer();
  let headers: Record<string, string>;

  /** Signs as the reference library does. */
  function signed(body: string, { secret = SECRET, ageSeconds = 0 } = {}): Record<string, string> {
    const at = new Date(test.clock.nowMs - ageSeconds * 1_000);
    return {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign("evt_1", at, body),
    };
  }
  const unwrap = (given: WebhookHeaders = headers, body: string | Uint8Array = BODY, secret = SECRET) =>
    test.client().webhooks.unwrap(body, given, secret);

  beforeEach(() => {
    headers = signed(BODY);
  });

  it("returns the event of a delivery that the reference library has signed, as text and as bytes", async () => {
    expect(await unwrap()).toEqual(JSON.parse(BODY));
    expect(await unwrap(headers, Buffer.from(BODY))).toEqual(JSON.parse(BODY));
  });

  it("takes the headers of fetch and of Node.js, with names in any case", async () => {
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

    for (const given of [new Headers(headers), upper, lists])
      expect(await unwrap(given)).toMatchObject({ id: "evt_1" });
  });

  it("accepts one of several signatures, as while a secret is rotated", async () => {
    const other = signed(BODY, { secret: OTHER })["webhook-signature"];
    const signature = `v1a,AAAA v1,no-base64! ${other} ${headers["webhook-signature"]}`;

    expect(await unwrap({ ...headers, "webhook-signature": signature })).toMatchObject({ id: "evt_1" });
  });

  it.each([300, -300])("accepts a delivery that is %s seconds old", async (ageSeconds) => {
    expect(await unwrap(signed(BODY, { ageSeconds }))).toMatchObject({ id: "evt_1" });
  });

  it.each([
    [301, /within five minutes/],
    [-301, /within five minutes/],
  ])("rejects a delivery that is %s seconds old", async (ageSeconds, message) => {
    await expect(unwrap(signed(BODY, { ageSeconds }))).rejects.toThrow(message);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["no id", { "webhook-id": "" }, /no webhook-id header/],
    ["no time", { "webhook-timestamp": "" }, /no webhook-timestamp header/],
    ["no signature", { "webhook-signature": "" }, /no webhook-signature header/],
    ["a time that is no number", { "webhook-timestamp": "now" }, /within five minutes/],
    ["another id", { "webhook-id": "evt_2" }, /No webhook-signature/],
    ["a signature of another version only", { "webhook-signature": "v1a,AAAA" }, /No webhook-signature/],
  ])("rejects a delivery with %s", async (_, changed, message) => {
    const rejected = expect(unwrap({ ...headers, ...changed })).rejects;
    await rejected.toBeInstanceOf(SignatureVerificationError);
    await expect(unwrap({ ...headers, ...changed })).rejects.toThrow(message);
  });

  it("rejects another body, another secret and a body that is no JSON", async () => {
    await expect(unwrap(headers, `${BODY} `)).rejects.toThrow("No webhook-signature");
    await expect(unwrap(headers, BODY, OTHER)).rejects.toThrow("No webhook-signature");
    await expect(unwrap(signed("no json"), "no json")).rejects.toThrow("is not JSON");
  });

  it.each(["", "whsec_", "whsec_no-base64!", SECRET.slice(6)])("refuses the malformed secret %j", async (secret) => {
    const refused = await unwrap(headers, BODY, secret).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(PurserError);
    expect(refused).toMatchObject({ message: "A webhook's secret is whsec_ and Base64." });
  });
});
