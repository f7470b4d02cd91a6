import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { ed25519Canonical } from "../../../crypto/ed25519.ts";
import { canonicalRequest, sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { ApiKeyId, TenantId } from "../../../foundation/ids.ts";
import { Count, ListOf, Text } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import { type ApiKey, apiKeyRows } from "./queries.ts";

/** The text that a request's signature must cover (docs/rules/signing.md). */
export const TestSignatureResource = Type.Object(
  {
    object: Type.Literal("test_signature"),
    key_id: Type.String(),
    signature_alg: Type.Enum(["hmac-sha256", "ed25519"]),
    canonical: Text(
      "The canonical string, which is the text to sign. For an HMAC key, it does not contain the query string.",
    ),
    also_accepted: ListOf(
      Type.String(),
      "Other canonical strings whose signatures are also accepted. For an HMAC key, this is the canonical string with the query string, if the path has one. Empty for an Ed25519 key.",
    ),
    body_hash: Text("The SHA-256 of the request body in lowercase hexadecimal."),
    skew_seconds: Count(
      "How far the timestamp is ahead of the server's clock, in seconds. Negative if the timestamp is behind. Requests with a difference of more than 30 seconds are rejected.",
    ),
  },
  {
    $id: "TestSignature",
    description: "The canonical string for a request, and the values it was computed from.",
  },
);

export function presentTestSignature(
  row: SignatureDescription,
  skewSeconds: number,
): Static<typeof TestSignatureResource> {
  const { key } = row;
  return toWire(TestSignatureResource, row, {
    key_id: key.keyId,
    signature_alg: key.signatureAlg,
    skew_seconds: skewSeconds,
  });
}

/** A request that the caller is about to sign. */
export interface DescribedRequest {
  readonly method: string;
  /** The full path, including the query string. */
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string | undefined;
  readonly body: string;
  readonly agentId: string | undefined;
  readonly idempotencyKey: string | undefined;
}

export interface SignatureDescription {
  readonly key: ApiKey;
  readonly bodyHash: string;
  /** The text to sign. */
  readonly canonical: string;
  /** Other texts for which a signature is also accepted. */
  readonly alsoAccepted: readonly string[];
}

/** Returns the text that a request's signature must cover. Never returns the signature or the signing key. */
export async function describeSignature(
  app: Pick<App, "db">,
  command: {
    readonly tenantId: TenantId;
    readonly keyId: string;
    readonly request: DescribedRequest;
  },
): Promise<SignatureDescription> {
  const { tenantId, keyId, request } = command;
  const key = await withTransaction(app.db, tenantId, (tx) =>
    apiKeyRows.find(tx, { tenantId, keyId: keyId as ApiKeyId }),
  );
  if (key?.mode !== "test") {
    throw new AppError("api_key_not_found", { internal: `${tenantId} has no test key ${keyId}` });
  }
  const bodyHash = sha256Hex(request.body);
  return {
    key,
    bodyHash,
    ...(key.signatureAlg === "ed25519"
      ? { canonical: ed25519Text(request, bodyHash), alsoAccepted: [] }
      : hmacTexts(request, bodyHash)),
  };
}

function ed25519Text({ nonce, ...request }: DescribedRequest, bodyHash: string): string {
  if (nonce === undefined) {
    throw invalidField("/body/nonce", "required", "is required for an Ed25519 key, whose signature covers it");
  }
  return ed25519Canonical({ ...request, nonce, bodyHash });
}

function hmacTexts({ timestamp, method, target }: DescribedRequest, bodyHash: string) {
  const [bare = ""] = target.split("?", 1);
  const textOf = (path: string) => canonicalRequest({ timestamp, method, path, bodyHash });
  return {
    canonical: textOf(bare),
    alsoAccepted: target === bare ? [] : [textOf(target)],
  };
}
