import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createAwsKmsKeyEncryptionKey } from "./aws-kms-key-encryption-key.ts";

const KEY_ARN = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const context = { tenantId: "dev_01", version: 1 };
const credentials = { accessKeyId: "test", secretAccessKey: "test" };

describe("createAwsKmsKeyEncryptionKey with a failing KMS", () => {
  it("rejects within the timeout: connection refused, or no response", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as AddressInfo;
    for (const endpoint of ["http://127.0.0.1:9", `http://127.0.0.1:${port}`]) {
      const key = createAwsKmsKeyEncryptionKey({
        keyArn: KEY_ARN,
        timeoutMs: 300,
        client: { endpoint, credentials },
      });
      const startedMs = performance.now();

      await expect(key.wrap(randomBytes(32), context)).rejects.toThrow();
      await expect(key.unwrap(randomBytes(100), key.id, context)).rejects.toThrow();

      expect(performance.now() - startedMs).toBeLessThan(2_000);
    }
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  it("rejects: the response has no data key, or was created with another key", async () => {
    const bodies = [
      { CiphertextBlob: "AAAA", KeyId: KEY_ARN.replace("1234abcd", "ffffffff") },
      { Plaintext: Buffer.alloc(16).toString("base64") },
      {},
    ];
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "application/x-amz-json-1.1");
      response.end(JSON.stringify(bodies.shift() ?? {}));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const key = createAwsKmsKeyEncryptionKey({
      keyArn: KEY_ARN,
      client: { endpoint: `http://127.0.0.1:${port}`, credentials },
    });

    await expect(key.wrap(randomBytes(32), context)).rejects.toThrow("no wrapped key");
    const wrapped = randomBytes(100);
    await expect(key.unwrap(wrapped, key.id, context)).rejects.toThrow("no data key");
    await expect(key.unwrap(wrapped, key.id, context)).rejects.toThrow("no data key");
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("throws: the ARN is not that of a key", async () => {
    for (const keyArn of ["", "alias/purser", KEY_ARN.replace("key/", "alias/"), `${KEY_ARN}\n`]) {
      expect(() => createAwsKmsKeyEncryptionKey({ keyArn })).toThrow("not the ARN");
    }
  });
});
