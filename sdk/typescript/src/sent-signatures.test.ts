import { describe, expect, it } from "vitest";
import { SentSignatures } from "./sent-signatures.ts";

const NOW = 1_700_000_000;

/** Creates a record of one signature, which was sent with this Idempotency-Key. */
function sentWith(idempotencyKey: string | undefined): SentSignatures {
  const sent = new SentSignatures();
  sent.add("s", idempotencyKey, NOW);
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
    expect(sentWith(first).wouldBeReplay(signature, second, NOW)).toBe(isReplay);
  });

  it("a replay for 65 seconds, and no replay after that: an identical request is sent later", () => {
    expect(sentWith(undefined).wouldBeReplay("s", undefined, NOW + 64)).toBe(true);
    expect(sentWith(undefined).wouldBeReplay("s", undefined, NOW + 65)).toBe(false);
  });

  it("the newer signature is still stored: an older one has expired", () => {
    const sent = sentWith(undefined);
    sent.add("younger", undefined, NOW + 10);

    expect(sent.wouldBeReplay("s", undefined, NOW + 70)).toBe(false);
    expect(sent.wouldBeReplay("younger", undefined, NOW + 70)).toBe(true);
  });
});
