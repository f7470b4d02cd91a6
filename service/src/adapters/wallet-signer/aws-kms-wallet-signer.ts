import {
  CreateKeyCommand,
  GetPublicKeyCommand,
  KMSClient,
  type KMSClientConfig,
  KMSServiceException,
  ScheduleKeyDeletionCommand,
  SignCommand,
} from "@aws-sdk/client-kms";
import * as Address from "ox/Address";
import * as Hex from "ox/Hex";
import * as PublicKey from "ox/PublicKey";
import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import { observedCall } from "../../foundation/telemetry/activities.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import type { HexBytes, KeyMaker } from "../../ports/wallet-signer.ts";

const VENDOR = "aws-kms";
/** The shortest time that KMS allows. */
const DELETED_AFTER_DAYS = 7;
/** What precedes the point in the DER encoding of a secp256k1 public key. */
const SPKI_PREFIX = "3056301006072a8648ce3d020106052b8104000a034200";

const FAILURES: Readonly<Record<string, VendorFailure>> = {
  NotFoundException: "refused",
  DisabledException: "refused",
  KMSInvalidStateException: "refused",
  AccessDeniedException: "unauthorized",
  ThrottlingException: "rate_limited",
  LimitExceededException: "rate_limited",
};

/**
 * A signer whose keys are in AWS KMS, one key for each wallet
 * (https://docs.aws.amazon.com/kms/latest/developerguide/symm-asymm-choose-key-spec.html). The secret of a key is its ARN.
 *
 * Needs the permissions `kms:CreateKey`, `kms:GetPublicKey`, `kms:Sign` and `kms:ScheduleKeyDeletion`.
 */
export function createAwsKmsSigner({
  timeoutMs,
  client: config = {},
}: {
  readonly timeoutMs: number;
  readonly client?: KMSClientConfig;
}): KeyMaker {
  let opened: KMSClient | undefined;
  // Opened with the first call: a server without keys in KMS needs no region.
  const kms = () => {
    opened ??= new KMSClient({ maxAttempts: 1, ...config });
    return opened;
  };
  const limit = () => ({ abortSignal: AbortSignal.timeout(timeoutMs) });
  const discard = (KeyId: string) =>
    calling("ScheduleKeyDeletion", () =>
      kms().send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: DELETED_AFTER_DAYS }), limit()),
    );

  return {
    createKey: async (walletId) => {
      const { KeyMetadata } = await calling("CreateKey", () =>
        kms().send(
          new CreateKeyCommand({
            ...{ KeySpec: "ECC_SECG_P256K1", KeyUsage: "SIGN_VERIFY", Description: `Purser wallet ${walletId}` },
          }),
          limit(),
        ),
      );
      const arn = KeyMetadata?.Arn;
      if (arn === undefined) throw errorOf("unknown", "CreateKey", "KMS returned no key");
      try {
        const { PublicKey: der } = await calling("GetPublicKey", () =>
          kms().send(new GetPublicKeyCommand({ KeyId: arn }), limit()),
        );
        return { address: addressOf(der), secret: Buffer.from(arn) };
      } catch (error) {
        await discard(arn).catch((cause: unknown) => {
          const left = `the key ${arn} owns no wallet and is left: operator action required`;
          throw errorOf("unknown", "ScheduleKeyDeletion", left, cause);
        });
        throw error;
      }
    },
    signDigest: async ({ address, secret }, digest) => {
      const { Signature: der } = await calling("Sign", () =>
        kms().send(
          new SignCommand({
            ...{ KeyId: Buffer.from(secret).toString(), Message: Hex.toBytes(digest), MessageType: "DIGEST" },
            SigningAlgorithm: "ECDSA_SHA_256",
          }),
          limit(),
        ),
      );
      return signatureOf(der, { address, digest });
    },
    discardKey: async ({ secret }) => {
      await discard(Buffer.from(secret).toString());
    },
  };
}

function addressOf(der: Uint8Array | undefined): HexBytes {
  const hex = Buffer.from(der ?? []).toString("hex");
  try {
    if (!hex.startsWith(SPKI_PREFIX)) throw new Error("not a public key of secp256k1");
    return Address.fromPublicKey(PublicKey.fromHex(`0x${hex.slice(SPKI_PREFIX.length)}`), { checksum: true });
  } catch {
    throw errorOf("unknown", "GetPublicKey", "KMS returned no public key of secp256k1");
  }
}

/** KMS does not return which of two keys it has signed with. */
function signatureOf(
  der: Uint8Array | undefined,
  { address, digest: payload }: { readonly address: HexBytes; readonly digest: HexBytes },
): HexBytes {
  try {
    const { r, s } = Signature.fromDerBytes(der ?? new Uint8Array());
    for (const yParity of [0, 1]) {
      const signature = { r, s, yParity };
      if (Address.isEqual(Secp256k1.recoverAddress({ payload, signature }), address)) return Signature.toHex(signature);
    }
  } catch {
    // Not a signature.
  }
  throw errorOf("unknown", "Sign", "the signature is not that of the wallet's key");
}

/** Converts the errors of a call. Its outcome is unknown if KMS has not answered. */
async function calling<Result>(operation: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await observedCall(VENDOR, operation, call);
  } catch (cause) {
    const name = cause instanceof KMSServiceException ? cause.name : undefined;
    throw errorOf(FAILURES[name ?? ""] ?? "unknown", operation, name ?? "KMS did not respond", cause);
  }
}

function errorOf(failure: VendorFailure, operation: string, vendorMessage: string, cause?: unknown): VendorError {
  return new VendorError(failure, { vendor: VENDOR, operation, vendorMessage, cause });
}
