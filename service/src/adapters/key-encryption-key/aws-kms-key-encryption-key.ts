import { DecryptCommand, EncryptCommand, KMSClient, type KMSClientConfig } from "@aws-sdk/client-kms";
import type { KeyEncryptionKey, WrapContext } from "../../ports/key-encryption-key.ts";

/** Matches key ARNs in any AWS partition. Aliases are rejected, because they can be moved to another key. */
const KEY_ARN = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:key\/[\w-]+$/;
const DATA_KEY_BYTES = 32;
const ATTEMPTS_MAX = 3;

export interface AwsKmsOptions {
  readonly keyArn: string;
  /** Timeout for one call in milliseconds, including retries. Default: 3,000. */
  readonly timeoutMs?: number;
  readonly client?: KMSClientConfig;
}

/**
 * A key encryption key in AWS KMS. The key never leaves KMS: data keys are sent to KMS to be encrypted and decrypted.
 * The encryption context, which KMS authenticates and logs, contains the tenant and the data key's version. The id is
 * `aws-kms:` followed by the key's ARN.
 *
 * Needs the permissions `kms:Encrypt` and `kms:Decrypt` on the key.
 */
export function createAwsKmsKeyEncryptionKey({
  keyArn,
  timeoutMs = 3_000,
  client: config = {},
}: AwsKmsOptions): KeyEncryptionKey {
  const region = KEY_ARN.exec(keyArn)?.[1];
  if (region === undefined) throw new Error("The key encryption key is not the ARN of a KMS key.");
  const id = `aws-kms:${keyArn}`;
  const client = new KMSClient({ region, maxAttempts: ATTEMPTS_MAX, ...config });
  const limit = () => ({ abortSignal: AbortSignal.timeout(timeoutMs) });
  return {
    id,
    wrap: async (dataKey, context) => {
      if (dataKey.length !== DATA_KEY_BYTES) throw new Error("The data key is not 32 bytes long.");
      const { CiphertextBlob: wrapped, KeyId } = await client.send(
        new EncryptCommand({
          KeyId: keyArn,
          Plaintext: dataKey,
          EncryptionContext: encryptionContext(context),
        }),
        limit(),
      );
      if (wrapped === undefined || KeyId !== keyArn) throw new Error("KMS returned no wrapped key.");
      return Buffer.from(wrapped);
    },
    unwrap: async (wrapped, wrappedUnder, context) => {
      if (wrappedUnder !== id) throw new Error(`The data key is encrypted under ${wrappedUnder}, not under ${id}.`);
      const { Plaintext: dataKey } = await client.send(
        new DecryptCommand({
          KeyId: keyArn,
          CiphertextBlob: wrapped,
          EncryptionContext: encryptionContext(context),
        }),
        limit(),
      );
      if (dataKey?.length !== DATA_KEY_BYTES) throw new Error("KMS returned no data key.");
      return Buffer.from(dataKey);
    },
  };
}

function encryptionContext({ tenantId, version }: WrapContext): Record<string, string> {
  return { purpose: "purser-data-key-v1", tenant_id: tenantId, version: String(version) };
}
