import { createFileKeyEncryptionKey } from "../adapters/key-encryption-key/file-key-encryption-key.ts";
import { createKeyring } from "../adapters/key-encryption-key/keyring.ts";
import type { KeyEncryptionKeySource, KeyEncryptionKeysConfig } from "../config/key-encryption-keys.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";

/** Creates a keyring from the current key encryption key and the other keys that can decrypt data keys. */
export async function composeKeyEncryptionKey({
  current,
  previous,
}: KeyEncryptionKeysConfig): Promise<KeyEncryptionKey> {
  return createKeyring(await keyFrom(current), await Promise.all(previous.map(keyFrom)));
}

async function keyFrom(source: KeyEncryptionKeySource): Promise<KeyEncryptionKey> {
  if (source.kind !== "aws-kms") return createFileKeyEncryptionKey(source.base64);
  const { createAwsKmsKeyEncryptionKey } = await import("../adapters/key-encryption-key/aws-kms-key-encryption-key.ts");
  return createAwsKmsKeyEncryptionKey({ keyArn: source.keyArn });
}
