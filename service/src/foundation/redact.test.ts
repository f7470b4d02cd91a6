import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";

describe("redact", () => {
  it.each([
    ["Bearer eyJhbGc.eyJzdWI.c2ln is", "Bearer [redacted token] is"],
    ['{"a":"\\neyJhbGc.eyJzdWI.c2ln"}', '{"a":"\\[redacted token]"}'],
    ["svc_sk_live_abc-_1 svc_ss_test_xyz", "svc_sk_live_[redacted] svc_ss_test_[redacted]"],
    ["at postgres://purser:pa55@db/purser", "at postgres://purser:[redacted]@db/purser"],
    ["nothing.to.hide at http://a/b", "nothing.to.hide at http://a/b"],
  ])("%j becomes %j", (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it.each(["a", "eyJ", "-eyJ", "eyJa.", "a://b", "a:b", "svc_sk_live_"])(
    "looks through 40,000 characters of %j in no time",
    (piece) => {
      const text = piece.repeat(40_000 / piece.length);
      const startMs = performance.now();
      redact(text);
      expect(performance.now() - startMs).toBeLessThan(200);
    },
  );
});
