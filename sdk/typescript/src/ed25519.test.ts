import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ed25519KeyProof, ed25519Request, ed25519RequestKey } from "./ed25519.ts";
import { PurserError } from "./errors.ts";

interface Vector {
  readonly private_key: string;
  readonly public_key: string;
  readonly developer_id: string;
  readonly proof: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  readonly path: string;
  readonly agent_id: string | null;
  readonly idempotency_key: string | null;
  readonly body_base64: string;
  readonly canonical: string;
  readonly signature: string;
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL("../../../vectors/ed25519.json", import.meta.url), "utf8"),
);

describe("signing with Ed25519", () => {
  it("has at least 24 test vectors", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(24);
  });

  it.each(vectors.map((vector, index) => ({ index, ...vector })))(
    "returns the signature and the proof of vector $index, $method $path",
    async (vector) => {
      const { timestamp, nonce, method, path } = vector;
      const request = {
        ...{ timestamp, nonce, method, path, body: Buffer.from(vector.body_base64, "base64") },
        agentId: vector.agent_id ?? undefined,
        idempotencyKey: vector.idempotency_key ?? undefined,
      };

      expect(await ed25519Request(request)).toBe(vector.canonical);
      expect(await ed25519RequestKey(vector.private_key).sign(request)).toBe(vector.signature);
      const { public_key, proof } = vector;
      expect(await ed25519KeyProof(vector.private_key, vector.developer_id)).toEqual({ public_key, proof });
    },
  );

  const pem = (type: "rsa" | "ed25519", options = {}) =>
    String(
      generateKeyPairSync(type as "ed25519", { modulusLength: 2048 } as object).privateKey.export({
        format: "pem",
        type: "pkcs8",
        ...options,
      }),
    );

  it.each([
    ["empty", ""],
    ["not PEM", "svc_ss_test_secret"],
    ["an RSA key", pem("rsa")],
    ["encrypted", pem("ed25519", { cipher: "aes-256-cbc", passphrase: "secret" })],
    ["truncated", pem("ed25519").replace(/.{8}\n-----END/, "\n-----END")],
  ])("throws an error without the key: the key is %s", (_what, key) => {
    const parse = () => ed25519RequestKey(key);

    expect(parse).toThrow(PurserError);
    expect(parse).toThrow("`privateKey` is not an unencrypted Ed25519 key in PEM.");
  });
});
