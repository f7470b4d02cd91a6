import { generateKeyPairSync, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ed25519RequestKey } from "./ed25519.ts";
import { PurserError } from "./errors.ts";
import { type RequestSignature, RequestSigner, SentSignatures } from "./request-signer.ts";
import { hmacRequestKey, signingKey, signRequest } from "./signing.ts";

const NOW_SECONDS = 1_700_000_000;
const SECRET = "svc_ss_test_secret";
const BODY = new TextEncoder().encode("{}");
const WRITE = { method: "POST", path: "/api/v1/svc/projects", body: BODY };

/** Creates a signer whose clock advances only while the signer waits. */
function newSigner(key = hmacRequestKey(SECRET)) {
  const clock = { nowMs: NOW_SECONDS * 1000 + 999, now: () => new Date(clock.nowMs) };
  const slept: { ms: number; signal: AbortSignal | undefined }[] = [];
  const signer = new RequestSigner(clock, async (ms, signal) => {
    slept.push({ ms, signal });
    clock.nowMs += ms;
  });
  const sign = (request: {
    method?: string;
    path?: string;
    idempotencyKey?: string;
    signal?: AbortSignal;
  }): Promise<RequestSignature> =>
    signer.sign(
      { ...WRITE, nonce: randomUUID(), agentId: undefined, idempotencyKey: undefined, signal: undefined, ...request },
      key,
    );
  return { clock, slept, sign };
}

const secondsOf = async (signed: Promise<RequestSignature>) => Number((await signed).timestamp) - NOW_SECONDS;

describe("RequestSigner", () => {
  it("signs a request for the current second", async () => {
    const timestamp = String(NOW_SECONDS);

    expect(await newSigner().sign({})).toEqual({
      timestamp,
      signature: await signRequest(await signingKey(SECRET), { ...WRITE, timestamp }),
    });
  });

  it("uses one of the next ten seconds for each identical request in the same second", async () => {
    const { slept, sign } = newSigner();
    const seconds: number[] = [];
    for (let count = 0; count <= 10; count += 1) seconds.push(await secondsOf(sign({})));

    expect(seconds).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(slept).toEqual([]);
  });

  it("waits for one second, which the caller can abort, if the next ten seconds are already used", async () => {
    const { slept, sign } = newSigner();
    for (let count = 0; count <= 10; count += 1) await sign({});
    const { signal } = new AbortController();

    expect(await secondsOf(sign({ signal }))).toBe(11);
    expect(slept).toEqual([{ ms: 1000, signal }]);
  });

  it("throws after waiting 31 times if the clock does not advance and every second is already used", async () => {
    const { clock, slept, sign } = newSigner();
    const { nowMs } = clock;
    Object.defineProperty(clock, "nowMs", { get: () => nowMs, set: () => undefined });
    for (let count = 0; count <= 10; count += 1) await sign({});

    const signed = sign({});

    await expect(signed).rejects.toThrow(PurserError);
    await expect(signed).rejects.toThrow("Too many identical requests");
    expect(slept).toHaveLength(31);
  });

  it("uses the same second for a retry with the same Idempotency-Key", async () => {
    const { sign } = newSigner();
    const first = await sign({ idempotencyKey: "k" });

    expect(await sign({ idempotencyKey: "k" })).toEqual(first);
    expect(await secondsOf(sign({ idempotencyKey: "l" }))).toBe(1);
  });

  it.each([
    ["the same second", "GET", "/api/v1/svc/projects", 0],
    ["the same second", "GET", "/api/v1/svc/projects/proj_1/env/history", 0],
    ["the same second", "GET", "/api/v1/svc/projects/environments", 0],
    ["the next second", "GET", "/api/v1/svc/projects/proj_1/env", 1],
    ["the next second", "GET", "/api/v1/svc/projects/proj_1/env?format=dotenv", 1],
    ["the next second", "DELETE", "/api/v1/svc/projects/proj_1", 1],
  ])("uses %s for a repeated %s %s", async (_outcome, method, path, second) => {
    const { sign } = newSigner();
    await sign({ method, path });

    expect(await secondsOf(sign({ method, path }))).toBe(second);
  });

  it("uses the same second for identical requests with an Ed25519 key, whose signatures cover the nonce", async () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const { sign } = newSigner(ed25519RequestKey(String(privateKey.export({ format: "pem", type: "pkcs8" }))));

    const [first, second] = [await sign({}), await sign({})];

    expect(second.timestamp).toBe(first.timestamp);
    expect(second.signature).not.toBe(first.signature);
  });
});

/** Creates a record of one signature, which was sent with this Idempotency-Key. */
function sentWith(idempotencyKey: string | undefined): SentSignatures {
  const sent = new SentSignatures();
  sent.add("s", idempotencyKey, NOW_SECONDS);
  return sent;
}

describe("SentSignatures", () => {
  it.each([
    ["no replay", "a different signature", "t", "k", "k", false],
    ["no replay", "the same Idempotency-Key", "s", "k", "k", false],
    ["a replay", "a different Idempotency-Key", "s", "k", "l", true],
    ["a replay", "an Idempotency-Key where the first had none", "s", undefined, "k", true],
    ["a replay", "no Idempotency-Key where the first had one", "s", "k", undefined, true],
    ["a replay", "no Idempotency-Key either time", "s", undefined, undefined, true],
  ])("%s: a request has %s", (_outcome, _what, signature, first, second, isReplay) => {
    expect(sentWith(first).wouldBeReplay(signature, second, NOW_SECONDS)).toBe(isReplay);
  });

  it("a replay for 65 seconds, and no replay after that: an identical request is sent later", () => {
    expect(sentWith(undefined).wouldBeReplay("s", undefined, NOW_SECONDS + 64)).toBe(true);
    expect(sentWith(undefined).wouldBeReplay("s", undefined, NOW_SECONDS + 65)).toBe(false);
  });

  it("the newer signature is still stored: an older one has expired", () => {
    const sent = sentWith(undefined);
    sent.add("younger", undefined, NOW_SECONDS + 10);

    expect(sent.wouldBeReplay("s", undefined, NOW_SECONDS + 70)).toBe(false);
    expect(sent.wouldBeReplay("younger", undefined, NOW_SECONDS + 70)).toBe(true);
  });
});
