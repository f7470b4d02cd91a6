import { createAwsKmsKeyEncryptionKey } from "../adapters/aws-kms-key-encryption-key.ts";
import { createFileKeyEncryptionKey } from "../adapters/file-key-encryption-key.ts";
import { createKeyring } from "../adapters/keyring.ts";
import type {
  KeyEncryptionKeySource,
  KeyEncryptionKeysConfig,
} from "../config/key-encryption-keys.ts";
import type { KeyEncryptionKey } from "../ports/key-encryption-key.ts";

/** What data keys are wrapped under, and what they were wrapped under before, as the configuration names them. */
export function composeKeyEncryptionKey({
  current,
  previous,
}: KeyEncryptionKeysConfig): KeyEncryptionKey {
  return createKeyring(keyFrom(current), previous.map(keyFrom));
}

function keyFrom(source: KeyEncryptionKeySource): KeyEncryptionKey {
  return source.kind === "aws-kms"
    ? createAwsKmsKeyEncryptionKey({ keyArn: source.keyArn })
    : createFileKeyEncryptionKey(source.base64);
}
