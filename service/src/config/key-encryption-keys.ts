import type { Reader } from "./reader.ts";

/** Where a key encryption key is: here, as 32 bytes of base64, or in AWS KMS, which never gives it away. */
export type KeyEncryptionKeySource =
  | { readonly kind: "material"; readonly base64: string; readonly isLocal: boolean }
  | { readonly kind: "aws-kms"; readonly keyArn: string };

export interface KeyEncryptionKeysConfig {
  /** What data keys are wrapped under from now on. */
  readonly current: KeyEncryptionKeySource;
  /** What others may wrap them under: the next one before it is used, and the last one until all were wrapped anew. */
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

/** What stands for a key in a variable or a file. Whether it has the right form is for `checkKeyEncryptionKeys` to say. */
function parseKeyEncryptionKey(text: string): KeyEncryptionKeySource {
  if (text.startsWith(KMS_MARK)) return { kind: "aws-kms", keyArn: text.slice(KMS_MARK.length) };
  const isLocal = text.startsWith(LOCAL_MARK);
  return { kind: "material", base64: isLocal ? text.slice(LOCAL_MARK.length) : text, isLocal };
}

export function checkKeyEncryptionKeys({ current, previous }: KeyEncryptionKeysConfig): string[] {
  const isMissing = current.kind === "material" && current.base64 === "";
  return [
    ...(isMissing || isGood(current) ? [] : [`${CURRENT} is not ${FORMS}.`]),
    ...(previous.every(isGood) ? [] : [`${PREVIOUS} names what is not ${FORMS}.`]),
    ...(previous.some((key) => isSame(key, current))
      ? [`${PREVIOUS} names the key that is in use.`]
      : []),
  ];
}

export function isFromLocalProfile({ current, previous }: KeyEncryptionKeysConfig): boolean {
  return [current, ...previous].some((key) => key.kind === "material" && key.isLocal);
}

const FORMS = "32 bytes of base64, nor aws-kms: with the ARN of a key";

function isGood(key: KeyEncryptionKeySource): boolean {
  if (key.kind === "aws-kms") return KMS_ARN.test(key.keyArn);
  const bytes = Buffer.from(key.base64, "base64");
  return bytes.length === KEY_BYTES && bytes.toString("base64") === key.base64;
}

function isSame(one: KeyEncryptionKeySource, other: KeyEncryptionKeySource): boolean {
  const nameOf = (key: KeyEncryptionKeySource) =>
    key.kind === "aws-kms" ? key.keyArn : key.base64;
  return nameOf(one) === nameOf(other);
}
