import { randomBytes } from "node:crypto";
import { CreateKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMoto } from "../../../test/vendors/moto.ts";
import type { KeyEncryptionKey } from "../../ports/key-encryption-key.ts";
import { createAwsKmsKeyEncryptionKey } from "./aws-kms-key-encryption-key.ts";
import { createFileKeyEncryptionKey, createKeyring } from "./file-key-encryption-key.ts";

const moto = await startMoto();
afterAll(async () => {
  if ("stop" in moto) await moto.stop();
});

/**
 * All `KeyEncryptionKey` adapters. `start` creates a key; each call of the returned function simulates a new process.
 */
const ADAPTERS: readonly {
  readonly name: string;
  readonly isSkipped?: boolean;
  readonly start: () => Promise<() => KeyEncryptionKey>;
}[] = [
  { name: "a file", start: startFile },
  { name: "AWS KMS", start: startAwsKms, isSkipped: "skipped" in moto },
  { name: "a keyring", start: startKeyring },
];

async function startFile(): Promise<() => KeyEncryptionKey> {
  const material = randomBytes(32).toString("base64");
  return () => createFileKeyEncryptionKey(material);
}

async function startAwsKms(): Promise<() => KeyEncryptionKey> {
  const client = {
    endpoint: "url" in moto ? moto.url : "",
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  };
  const kms = new KMSClient(client);
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
  kms.destroy();
  return () => createAwsKmsKeyEncryptionKey({ keyArn: KeyMetadata?.Arn ?? "", client });
}

async function startKeyring(): Promise<() => KeyEncryptionKey> {
  const [openCurrent, openPrevious] = [await startFile(), await startFile()];
  return () => createKeyring(openCurrent(), [openPrevious()]);
}

const context = { tenantId: "dev_01", version: 1 };

describe.each(ADAPTERS)("key encryption key: $name", ({ start, isSkipped = false }) => {
  describe.skipIf(isSkipped)("available key", () => {
    let open: () => KeyEncryptionKey;
    let key: KeyEncryptionKey;
    let other: KeyEncryptionKey;
    beforeAll(async () => {
      open = await start();
      key = open();
      other = (await start())();
    });

    it("unwraps a data key that it wrapped, even in another process", async () => {
      const dataKey = randomBytes(32);

      const wrapped = await key.wrap(dataKey, context);

      const restarted = open();
      expect(restarted.id).toBe(key.id);
      expect(await restarted.unwrap(wrapped, key.id, context)).toEqual(dataKey);
      expect(wrapped.includes(dataKey)).toBe(false);
    });

    it("wraps the same data key differently each time", async () => {
      const dataKey = randomBytes(32);

      expect(await key.wrap(dataKey, context)).not.toEqual(await key.wrap(dataKey, context));
    });

    it("unwraps only for the same tenant and version", async () => {
      const wrapped = await key.wrap(randomBytes(32), context);

      for (const foreign of [
        { tenantId: "dev_02", version: 1 },
        { tenantId: "dev_01", version: 2 },
        { tenantId: "dev_011", version: 1 },
      ]) {
        await expect(key.unwrap(wrapped, key.id, foreign)).rejects.toThrow();
      }
    });

    it("rejects a data key wrapped under another key, whichever id is given", async () => {
      const wrapped = await other.wrap(randomBytes(32), context);

      expect(other.id).not.toBe(key.id);
      await expect(key.unwrap(wrapped, other.id, context)).rejects.toThrow(other.id);
      await expect(key.unwrap(wrapped, key.id, context)).rejects.toThrow();
    });

    it("rejects a wrapped key with a changed byte, and a truncated one", async () => {
      const wrapped = await key.wrap(randomBytes(32), context);

      for (let index = 0; index < wrapped.length; index += 1) {
        const changed = Buffer.from(wrapped);
        changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
        await expect(key.unwrap(changed, key.id, context)).rejects.toThrow();
      }
      await expect(key.unwrap(wrapped.subarray(0, -1), key.id, context)).rejects.toThrow();
    });

    it("rejects data keys that are not 32 bytes long", async () => {
      for (const length of [0, 16, 31, 33]) {
        await expect(key.wrap(randomBytes(length), context)).rejects.toThrow("32 bytes");
      }
    });
  });
});

describe.skipIf("skipped" in moto)("keyring with a file key and an AWS KMS key", () => {
  it("unwraps data keys wrapped under either key", async () => {
    const [file, kms] = [(await startFile())(), (await startAwsKms())()];
    const keyring = createKeyring(kms, [file]);
    const dataKey = randomBytes(32);

    for (const key of [file, kms]) {
      const wrapped = await key.wrap(dataKey, context);
      expect(await keyring.unwrap(wrapped, key.id, context)).toEqual(dataKey);
    }
  });
});
