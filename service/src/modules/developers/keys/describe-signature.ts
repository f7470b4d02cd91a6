import type { App } from "../../../app.ts";
import { ed25519Canonical } from "../../../crypto/ed25519.ts";
import { canonicalRequest, sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { ApiKeyId, TenantId } from "../../../foundation/ids.ts";
import { type ApiKey, findApiKey } from "./queries.ts";

/** A request as its sender means to sign it. */
export interface DescribedRequest {
  readonly method: string;
  /** The full path, with its query where it has one. */
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
  /** The text that the service signs, or checks a signature over. */
  readonly canonical: string;
  /** Other texts whose signature is as good. */
  readonly alsoAccepted: readonly string[];
}

/**
 * Tells what the service would check a request's signature over. For a test key of the tenant's only (`api_key_not_found`
 * for any other), and neither the signature nor what it is made with: whoever asks has those.
 */
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
    findApiKey(tx, { tenantId, keyId: keyId as ApiKeyId }),
  );
  if (key?.mode !== "test") {
    throw new AppError("api_key_not_found", { internal: `no test key ${keyId} of ${tenantId}` });
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
    throw invalidField("/body/nonce", "required", "an Ed25519 key signs the nonce as well");
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
