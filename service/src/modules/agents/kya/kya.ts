import type { KyaLevel } from "../../../foundation/vocabulary.ts";
import type { AgentKey, AgentOverview } from "../queries.ts";

type AttestedAgent = Pick<AgentOverview, "attestedBy" | "attestedUntil">;
type VerifiedDeveloper = Pick<AgentOverview, "kybStatus" | "kybExpiresAt">;

/** What an agent's know-your-agent (KYA) level follows from. */
export interface KyaFacts extends AttestedAgent, VerifiedDeveloper {
  readonly publicKeys: readonly unknown[];
}

/** How well an agent is known, and why. */
export interface Kya {
  readonly level: KyaLevel;
  readonly status: "passed" | "pending" | "expired";
  readonly evidence: readonly KyaEvidence[];
  /** When the evidence for the level expires. Null if it never does. */
  readonly expiresAt: Date | null;
}

export interface KyaEvidence {
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
