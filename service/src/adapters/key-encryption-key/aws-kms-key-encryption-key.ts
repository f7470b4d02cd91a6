import {
  DecryptCommand,
  EncryptCommand,
  KMSClient,
  type KMSClientConfig,
} from "@aws-sdk/client-kms";
import type { KeyEncryptionKey, WrapContext } from "../../ports/key-encryption-key.ts";

/** `arn:aws:kms:REGION:ACCOUNT:key/ID`, of whichever partition. An alias could come to mean another key. */
const KEY_ARN = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:key\/[\w-]+$/;
const DATA_KEY_BYTES = 32;
const ATTEMPTS_MAX = 3;

export interface AwsKmsOptions {
  readonly keyArn: string;
  /** Of one call, its repetitions included. 3,000 where absent. */
  readonly timeoutMs?: number;
  /** What the AWS SDK does not find by itself in the environment, the instance or the pod. */
  readonly client?: KMSClientConfig;
}

/**
 * A key encryption key that never leaves AWS KMS: data keys are sent there to be wrapped and unwrapped. Tenant and version
 * are the encryption context, which KMS authenticates, and writes to its own trail. Its id is `aws-kms:` and the key's ARN.
 *
 * The service needs `kms:Encrypt` and `kms:Decrypt` on the key, and nothing else.
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
      if (dataKey.length !== DATA_KEY_BYTES) throw new Error("A data key is 32 bytes.");
      const { CiphertextBlob: wrapped, KeyId } = await client.send(
        new EncryptCommand({
          KeyId: keyArn,
          Plaintext: dataKey,
          EncryptionContext: encryptionContext(context),
        }),
        limit(),
      );
      if (wrapped === undefined || KeyId !== keyArn) throw new Error("KMS wrapped nothing.");
      return Buffer.from(wrapped);
    },
    unwrap: async (wrapped, wrappedUnder, context) => {
      if (wrappedUnder !== id)
        throw new Error(`The data key is wrapped under ${wrappedUnder}, not ${id}.`);
      const { Plaintext: dataKey } = await client.send(
        new DecryptCommand({
          KeyId: keyArn,
          CiphertextBlob: wrapped,
          EncryptionContext: encryptionContext(context),
        }),
        limit(),
      );
      if (dataKey?.length !== DATA_KEY_BYTES) throw new Error("KMS unwrapped no data key.");
      return Buffer.from(dataKey);
    },
  };
}

function encryptionContext({ tenantId, version }: WrapContext): Record<string, string> {
  return { purpose: "purser-data-key-v1", tenant_id: tenantId, version: String(version) };
}
