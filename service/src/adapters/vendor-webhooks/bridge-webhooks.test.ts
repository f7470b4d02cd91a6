import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createBridgeWebhooks } from "./bridge-webhooks.ts";

/** The example of https://apidocs.bridge.xyz/v1/docs/webhook-event-signature-verification. */
const EXAMPLE = {
  publicKey: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtqsEE4eI7EmzhcquGJXt
LX9PMK0UH6Kl1WIR21sv8HtueG8BuvvpP3MiN7ltzmIhS8KaynCjN4l+620PnXeu
xWG+CSnEdkinL9hCqbEid5vv9zl0j9LWiJx3FkKHqADU7cgm46aa8dKUdIQYF2X+
O7WmyLkC4wUM/mWhBPMsIQBznashRMZxx7XJjsVp27ACUE4eNIjEXbVYN6U8jSbU
hG++CfL8xXu+GHDqKmFE6Po6HnuURvLFVnCtE3mXXBcVFlPy+octfx8nOMLT3X8O
9UehIigJ34o2yMm/Fq3HUJzg2BsiAiGgtr0vmeoV9Q7upSNj9TuOumAzZFi4pYA+
qwIDAQAB
-----END PUBLIC KEY-----
`,
  at: 1_705_854_411_204,
  signature:
    "jz/0dmHJ63FAzacGutrDTEoq+iSz/PHm/ugdooXDQu5NwuVIT2LmZGjsnCsBHgR9Py6OBP9zurzW4dHgygU4EDqmMPTUOvhvndYb4lWt+TY66LihaFI2whL6DAf/jb1QjYjNU0A6x9SLzC45dgE6X7zTDUM+2Z+scG/WEQf6SxQMt4E2sEipl5PqMK5lYUe3otdJV+X2c9D64bGwCEE7QSia+Vhozg8QNOQEk/rdz2IEONIg6oC43CeiN4E2kF9XLAGuy9uAHx9O9OJH5ZPLJZjyo4VcXYeWQgxaQ1gZ1Qu6hEEzgiPSff/1nou58dm4bIIazgCWli/mO0NyGcpfFw==",
  body: '{"message":"Hello World!"}',
};

const NOW = Date.parse("2026-11-24T10:00:00Z");
const MINUTE_MS = 60_000;
const BODY = JSON.stringify({
  ...{ api_version: "v0", event_id: "wh_1", event_category: "transfer" },
  ...{ event_type: "transfer.updated.status_transitioned", event_object_id: "tr_1", event_object: {} },
});

const newKeys = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
const LIVE = newKeys();
const TEST = newKeys();

interface Sent {
  readonly at?: number;
  readonly body?: string;
  readonly privateKey?: string;
  readonly signs?: "data" | "digest";
}

/** Signs the body at a time, and verifies it at `NOW`. */
function verify({ at = NOW, body = BODY, privateKey = TEST.privateKey, signs = "digest" }: Sent = {}, received = body) {
  const data = Buffer.from(`${at}.${body}`);
  const signed = signs === "data" ? data : createHash("sha256").update(data).digest();
  const signature = sign("sha256", signed, privateKey).toString("base64");
  return createBridgeWebhooks({ live: LIVE.publicKey, test: TEST.publicKey }).verify({
    rawBody: Buffer.from(received),
    headers: { "x-webhook-signature": `t=${at},v0=${signature}` },
    receivedAt: new Date(NOW),
  });
}

describe("webhooks of Bridge", () => {
  it("accepts Bridge's own example, which is about no object", () => {
    const { publicKey, at, signature, body } = EXAMPLE;
    const webhook = {
      rawBody: Buffer.from(body),
      headers: { "x-webhook-signature": `t=${at},v0=${signature}` },
      receivedAt: new Date(at + MINUTE_MS),
    };

    expect(createBridgeWebhooks({ live: null, test: publicKey }).verify(webhook)).toEqual({ event: null });
    expect(createBridgeWebhooks({ live: LIVE.publicKey, test: null }).verify(webhook)).toBeUndefined();
  });

  it("the mode is that of the key", () => {
    expect(verify()).toMatchObject({ event: { mode: "test", objectType: "transfer", objectId: "tr_1" } });
    expect(verify({ privateKey: LIVE.privateKey })).toMatchObject({ event: { mode: "live" } });
  });

  it.each(["data", "digest"] as const)("accepts a signature of the %s", (signs) => {
    expect(verify({ signs })).toMatchObject({ event: { eventId: "wh_1" } });
  });

  it("rejects another key, another body, and a time that is not within ten minutes", () => {
    expect(verify({ privateKey: newKeys().privateKey })).toBeUndefined();
    expect(verify({}, BODY.replace("tr_1", "tr_2"))).toBeUndefined();
    expect(verify({ at: NOW - 11 * MINUTE_MS })).toBeUndefined();
    expect(verify({ at: NOW + 11 * MINUTE_MS })).toBeUndefined();
    expect(verify({ at: NOW - 9 * MINUTE_MS })).toBeDefined();
  });

  it("a signed body that is no event is about no object", () => {
    for (const body of ["{", "[]", '{"event_id":"wh_1"}']) expect(verify({ body })).toEqual({ event: null });
  });
});
