import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CreateKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMoto } from "../../../test/moto.ts";
import { createAwsKmsKeyEncryptionKey } from "./aws-kms-key-encryption-key.ts";
import { createFileKeyEncryptionKey } from "./file-key-encryption-key.ts";
import { createKeyring } from "./keyring.ts";

const KEY_ARN = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const context = { tenantId: "dev_01", version: 1 };
const credentials = { accessKeyId: "test", secretAccessKey: "test" };

const moto = await startMoto();

describe.skipIf("skipped" in moto)("a key encryption key of AWS KMS", () => {
  const client = {
    endpoint: "url" in moto ? moto.url : "",
    region: "us-east-1",
    credentials,
  };
  const keys: string[] = [];

  beforeAll(async () => {
    const kms = new KMSClient(client);
    for (let count = 0; count < 2; count += 1) {
      const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
      keys.push(KeyMetadata?.Arn ?? "");
    }
    kms.destroy();
  });

  afterAll(async () => {
    if ("stop" in moto) await moto.stop();
  });

  const keyNumber = (index: number) =>
    createAwsKmsKeyEncryptionKey({ keyArn: keys[index] ?? "", client });

  it("unwraps what it wrapped, as another process does", async () => {
    const dataKey = randomBytes(32);

    const wrapped = await keyNumber(0).wrap(dataKey, context);

    const restarted = keyNumber(0);
    expect(restarted.id).toBe(`aws-kms:${keys[0]}`);
    expect(await restarted.unwrap(wrapped, restarted.id, context)).toEqual(dataKey);
    expect(wrapped.includes(dataKey)).toBe(false);
  });

  it("opens for the tenant and the version it was wrapped for, and for no other", async () => {
    const key = keyNumber(0);
    const wrapped = await key.wrap(randomBytes(32), context);

    for (const other of [
      { tenantId: "dev_02", version: 1 },
      { tenantId: "dev_01", version: 2 },
    ]) {
      await expect(key.unwrap(wrapped, key.id, other)).rejects.toThrow();
    }
  });

  it("refuses what another key wrapped, named or unnamed", async () => {
    const [key, other] = [keyNumber(0), keyNumber(1)];
    const wrapped = await other.wrap(randomBytes(32), context);

    await expect(key.unwrap(wrapped, other.id, context)).rejects.toThrow(`not ${key.id}`);
    await expect(key.unwrap(wrapped, key.id, context)).rejects.toThrow();
  });

  it("refuses a wrapped key with any of its bytes changed, and one that is cut", async () => {
    const key = keyNumber(0);
    const wrapped = await key.wrap(randomBytes(32), context);

    for (let index = 0; index < wrapped.length; index += 1) {
      const changed = Buffer.from(wrapped);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      await expect(key.unwrap(changed, key.id, context)).rejects.toThrow();
    }
    await expect(key.unwrap(wrapped.subarray(0, -1), key.id, context)).rejects.toThrow();
  });

  it("takes over from a file's key, and the other way round, within a keyring", async () => {
    const file = createFileKeyEncryptionKey(randomBytes(32).toString("base64"));
    const kms = keyNumber(0);
    const dataKey = randomBytes(32);
    const before = await file.wrap(dataKey, context);

    const keyring = createKeyring(kms, [file]);

    expect(await keyring.unwrap(before, file.id, context)).toEqual(dataKey);
    const after = await keyring.wrap(dataKey, context);
    expect(await keyring.unwrap(after, kms.id, context)).toEqual(dataKey);
  });
});

describe("a key encryption key of an AWS KMS that is of no use", () => {
  it("fails within its bound where nobody listens, and where nobody answers", async () => {
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

  it("refuses an answer that is no data key, and one from another key", async () => {
    const answers = [
      { CiphertextBlob: "AAAA", KeyId: KEY_ARN.replace("1234abcd", "ffffffff") },
      { Plaintext: Buffer.alloc(16).toString("base64") },
      {},
    ];
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "application/x-amz-json-1.1");
      response.end(JSON.stringify(answers.shift() ?? {}));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const key = createAwsKmsKeyEncryptionKey({
      keyArn: KEY_ARN,
      client: { endpoint: `http://127.0.0.1:${port}`, credentials },
    });

    await expect(key.wrap(randomBytes(32), context)).rejects.toThrow("wrapped nothing");
    const wrapped = randomBytes(100);
    await expect(key.unwrap(wrapped, key.id, context)).rejects.toThrow("no data key");
    await expect(key.unwrap(wrapped, key.id, context)).rejects.toThrow("no data key");
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("is not made of anything but a key's ARN, and wraps nothing but 32 bytes", async () => {
    for (const keyArn of ["", "alias/purser", KEY_ARN.replace("key/", "alias/"), `${KEY_ARN}\n`]) {
      expect(() => createAwsKmsKeyEncryptionKey({ keyArn })).toThrow("not the ARN");
    }
    const key = createAwsKmsKeyEncryptionKey({ keyArn: KEY_ARN, client: { credentials } });
    await expect(key.wrap(randomBytes(16), context)).rejects.toThrow("32 bytes");
  });
});
