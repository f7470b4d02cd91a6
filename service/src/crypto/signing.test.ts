import { createSecretKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonicalRequest, equalInConstantTime, requestSignature, responseSignature, sha256Hex } from "./signing.ts";

interface Vector {
  readonly api_secret: string;
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  readonly body_base64: string;
  readonly signing_key: string;
  readonly body_hash: string;
  readonly canonical: string;
  readonly signature: string;
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL("../../../vectors/hmac-sha256.json", import.meta.url), "utf8"),
);

describe("requestSignature", () => {
  it("has at least one signing vector", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(24);
  });

  it.each(vectors.map((vector, index) => ({ index, ...vector })))(
    "vector $index, $method $path: the signature matches",
    ({ timestamp, method, path, ...vector }) => {
      const bodyHash = sha256Hex(Buffer.from(vector.body_base64, "base64"));
      const signingKey = sha256Hex(vector.api_secret);
      const parts = { timestamp, method, path, bodyHash };

      expect(bodyHash).toBe(vector.body_hash);
      expect(signingKey).toBe(vector.signing_key);
      expect(canonicalRequest(parts)).toBe(vector.canonical);
      expect(requestSignature(signingKey, parts).toString("hex")).toBe(vector.signature);
      const keyObject = createSecretKey(Buffer.from(signingKey));
      expect(requestSignature(keyObject, parts).toString("hex")).toBe(vector.signature);
    },
  );
});

describe("responseSignature", () => {
  it("matches RFC 4231, test case 2, for text and for bytes", () => {
    const expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    const body = "what do ya want for nothing?";

    expect(responseSignature("Jefe", body)).toBe(expected);
    expect(responseSignature("Jefe", Buffer.from(body))).toBe(expected);
  });
});

describe("equalInConstantTime", () => {
  it.each([
    ["", "", true],
    ["abc", "abc", true],
    ["abc", "abd", false],
    ["abc", "ab", false],
    ["", "a", false],
  ])("%j and %j: %s", (a, b, equal) => {
    expect(equalInConstantTime(Buffer.from(a), Buffer.from(b))).toBe(equal);
  });
});
