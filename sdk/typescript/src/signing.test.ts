import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonicalRequest, signingKey, signRequest } from "./signing.ts";

interface Vector {
  readonly api_secret: string;
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  readonly body_base64: string;
  readonly signing_key: string;
  readonly canonical: string;
  readonly signature: string;
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL("../../../vectors/hmac-sha256.json", import.meta.url), "utf8"),
);

describe("signing", () => {
  it("has at least 24 test vectors", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(24);
  });

  it.each(vectors.map((vector, index) => ({ index, ...vector })))(
    "returns the signature of vector $index, $method $path",
    async (vector) => {
      const { timestamp, method, path } = vector;
      const parts = { timestamp, method, path, body: Buffer.from(vector.body_base64, "base64") };

      const key = await signingKey(vector.api_secret);

      expect(key).toBe(vector.signing_key);
      expect(await canonicalRequest(parts)).toBe(vector.canonical);
      expect(await signRequest(key, parts)).toBe(vector.signature);
    },
  );
});
