import type { App } from "../../../app.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { KyaLevel } from "../../../foundation/vocabulary.ts";
import { requestSignatureRows } from "../../../idempotency/money/queries.ts";
import type { VerifiedToken } from "../../../ports/external-token-issuers.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import type { AgentKey, AgentOverview } from "../queries.ts";

type AttestedAgent = Pick<AgentOverview, "attestedBy" | "attestedUntil">;
type VerifiedDeveloper = Pick<AgentOverview, "kybStatus" | "kybExpiresAt">;

/** What an agent's know-your-agent (KYA) level follows from. */
export interface KyaFacts extends AttestedAgent, VerifiedDeveloper {
  readonly publicKeys: readonly unknown[];
}

/** How well an agent is known, and why. */
interface Kya {
  readonly level: KyaLevel;
  readonly status: "passed" | "pending" | "expired";
  readonly evidence: readonly KyaEvidence[];
  /** When the evidence for the level expires. Null if it never does. */
  readonly expiresAt: Date | null;
}

interface KyaEvidence {
  readonly type: "developer_kyb" | "public_key" | "external_token";
  readonly status: "verified" | "proven" | "expired";
  /** Set for an external token. */
  readonly issuer?: string;
}

/**
 * Returns the name of the agent in tokens. It contains the developer and the mode, because several developers can have
 * agents with the same id.
 */
export function kyaSubject({ mode, tenantId, agentId }: AgentKey): string {
  return `${mode}/${tenantId}/${agentId}`;
}

/** Returns the agent's level: that of its highest evidence. */
export function kyaLevelAt(facts: KyaFacts, at: Date): KyaLevel {
  if (isAttested(facts, at)) return "attested";
  if (isDeveloperVerified(facts, at)) return "verified";
  return facts.publicKeys.length > 0 ? "basic" : "none";
}

export function kyaAt(facts: KyaFacts, at: Date): Kya {
  const level = kyaLevelAt(facts, at);
  return {
    level,
    status: statusOf(facts, level),
    evidence: evidenceAt(facts, at),
    expiresAt: expiryOf(facts, level),
  };
}

function evidenceAt(facts: KyaFacts, at: Date): KyaEvidence[] {
  const evidence: KyaEvidence[] = [];
  if (isDeveloperVerified(facts, at)) evidence.push({ type: "developer_kyb", status: "verified" });
  if (facts.publicKeys.length > 0) evidence.push({ type: "public_key", status: "proven" });
  if (facts.attestedBy !== null) {
    const status = isAttested(facts, at) ? "verified" : "expired";
    evidence.push({ type: "external_token", issuer: facts.attestedBy, status });
  }
  return evidence;
}

function statusOf({ attestedBy }: AttestedAgent, level: KyaLevel): Kya["status"] {
  if (level !== "none") return "passed";
  return attestedBy === null ? "pending" : "expired";
}

function expiryOf(facts: KyaFacts, level: KyaLevel): Date | null {
  if (level === "attested") return facts.attestedUntil;
  return level === "verified" ? facts.kybExpiresAt : null;
}

function isAttested({ attestedUntil }: AttestedAgent, at: Date): boolean {
  return attestedUntil !== null && attestedUntil > at;
}

function isDeveloperVerified({ kybStatus, kybExpiresAt }: VerifiedDeveloper, at: Date): boolean {
  return kybStatus === "verified" && (kybExpiresAt === null || kybExpiresAt > at);
}

const LIFETIME_MAX_MS = 366 * 24 * 3_600_000;

/**
 * Verifies a token that another issuer issued about the agent. Calls the issuer, so it must not run in a transaction.
 * Throws `validation_error` if the token is invalid, is about another agent, developer or mode, or expires in more than
 * a year, and `provider_unavailable` if the issuer's keys cannot be fetched.
 */
export async function verifyExternalToken(
  app: Pick<App, "clock" | "externalTokenIssuers"> & {
    readonly settings: Pick<App["settings"], "publicUrl">;
  },
  { token, key }: { readonly token: string; readonly key: AgentKey },
): Promise<VerifiedToken> {
  const now = app.clock.now();
  const verified = await app.externalTokenIssuers
    .verify({ token, audience: app.settings.publicUrl, now })
    .catch((thrown: unknown) => {
      throw asAppError(thrown);
    });
  if (!isAbout(verified, key)) {
    throw invalidToken("must be about this agent, of this developer and in this mode");
  }
  if (verified.expiresAt.getTime() - now.getTime() > LIFETIME_MAX_MS) {
    throw invalidToken("must expire within a year");
  }
  return verified;
}

/**
 * Records that the tenant has used the token. Throws `validation_error` if it was used before. A token names one developer,
 * so no other tenant can use it.
 */
export async function useExternalToken(
  tx: Tx,
  { tenantId }: AgentKey,
  { issuer, tokenId, expiresAt }: VerifiedToken,
): Promise<void> {
  const signatureHash = sha256Hex(JSON.stringify([issuer, tokenId]));
  const isNew = await requestSignatureRows.insertIfNew(tx, {
    tenantId,
    signatureHash,
    idempotencyKey: null,
    expiresAt,
  });
  if (!isNew) throw invalidToken("was used before: get a new token, with another `jti`");
}

/** Other developers can have agents with the same id, so the id alone is not enough. */
function isAbout({ subjects, owner, mode }: VerifiedToken, key: AgentKey): boolean {
  if (subjects.includes(kyaSubject(key))) return true;
  const isOwn = owner === key.tenantId && mode === key.mode;
  return isOwn && subjects.some((subject) => subject.toLowerCase() === key.agentId);
}

function asAppError(thrown: unknown): unknown {
  if (!(thrown instanceof VendorError)) return thrown;
  if (thrown.failure === "unauthorized") {
    return invalidToken("must be a valid token of a supported issuer, with this server as its audience");
  }
  return new AppError("provider_unavailable", { internal: thrown.message, cause: thrown });
}

function invalidToken(detail: string): AppError {
  return invalidField("/body/external_token", "token", detail);
}
