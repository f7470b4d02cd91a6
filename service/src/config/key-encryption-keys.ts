import type { Reader } from "./reader.ts";

/** A key encryption key: 32 bytes in base64, or the ARN of a key in AWS KMS. */
export type KeyEncryptionKeySource =
  | { readonly kind: "material"; readonly base64: string; readonly isLocal: boolean }
  | { readonly kind: "aws-kms"; readonly keyArn: string };

export interface KeyEncryptionKeysConfig {
  /** The key that new data keys are encrypted with. */
  readonly current: KeyEncryptionKeySource;
  /**
   * Other keys that can decrypt data keys: the next key before a rotation, and the previous key until all data keys are
   * re-encrypted with the new one.
   */
  readonly previous: readonly KeyEncryptionKeySource[];
}

const CURRENT = "PURSER_KEY_ENCRYPTION_KEY";
const PREVIOUS = "PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS";
const KEY_BYTES = 32;
const LOCAL_MARK = "local:";
const KMS_MARK = "aws-kms:";
const KMS_ARN = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/;

export function readKeyEncryptionKeys(read: Reader): KeyEncryptionKeysConfig {
  const previous = (read.optionalSecret(PREVIOUS) ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter(Boolean);
  return {
    current: parseKeyEncryptionKey(read.secret(CURRENT)),
    previous: previous.map(parseKeyEncryptionKey),
  };
}

/** Parses a variable's value. `checkKeyEncryptionKeys` validates the result. */
function parseKeyEncryptionKey(text: string): KeyEncryptionKeySource {
  if (text.startsWith(KMS_MARK)) return { kind: "aws-kms", keyArn: text.slice(KMS_MARK.length) };
  const isLocal = text.startsWith(LOCAL_MARK);
  return { kind: "material", base64: isLocal ? text.slice(LOCAL_MARK.length) : text, isLocal };
}

export function checkKeyEncryptionKeys({ current, previous }: KeyEncryptionKeysConfig): string[] {
  const isMissing = current.kind === "material" && current.base64 === "";
  return [
    ...(isMissing || isValid(current) ? [] : [`${CURRENT} is not ${FORMS}.`]),
    ...(previous.every(isValid) ? [] : [`${PREVIOUS} has an entry that is not ${FORMS}.`]),
    ...(previous.some((key) => isSame(key, current)) ? [`${PREVIOUS} contains the current key.`] : []),
  ];
}

export function isFromLocalProfile({ current, previous }: KeyEncryptionKeysConfig): boolean {
  return [current, ...previous].some((key) => key.kind === "material" && key.isLocal);
}

const FORMS = "32 bytes in base64 or aws-kms: followed by a key's ARN";

function isValid(key: KeyEncryptionKeySource): boolean {
  if (key.kind === "aws-kms") return KMS_ARN.test(key.keyArn);
  const bytes = Buffer.from(key.base64, "base64");
  return bytes.length === KEY_BYTES && bytes.toString("base64") === key.base64;
}

function isSame(one: KeyEncryptionKeySource, other: KeyEncryptionKeySource): boolean {
  const identityOf = (key: KeyEncryptionKeySource) => (key.kind === "aws-kms" ? key.keyArn : key.base64);
  return identityOf(one) === identityOf(other);
}
