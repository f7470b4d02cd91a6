import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { ed25519KeyId } from "../../crypto/ed25519.ts";
import type { Tx } from "../../db/database.ts";
import type { AgentSoftware } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { mergedMetadata } from "../../foundation/wire/apply-change.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import type { VerifiedToken } from "../../ports/external-token-issuers.ts";
import { bindPolicy, throwIfBoundToLess } from "../policies/bind-policy.ts";
import { raisePolicyRevision } from "../policies/queries.ts";
import { agentStatusAt, earlierOf } from "./agent-resource.ts";
import { getTenantAgent, recordAgentChange, requireAgent, requireAgentLocked } from "./agents.ts";
import { kyaLevelAt, useExternalToken, verifyExternalToken } from "./kya/kya.ts";
import { type Agent, type AgentKey, type AgentOverview, agentPublicKeyRows, agentRows } from "./queries.ts";

const PUBLIC_KEYS_MAX = 5;

/** An undefined field is left unchanged; null clears a field. `metadata` is merged: a null value removes its key. */
export interface AgentChange {
  readonly name: string | undefined;
  readonly description: string | null | undefined;
  readonly software: AgentSoftware | null | undefined;
  readonly expiresAt: Date | null | undefined;
  readonly policyId: string | null | undefined;
  readonly metadata: Readonly<Record<string, string | null>> | null | undefined;
  /** An Ed25519 public key in base64url to add. The caller must have checked proof of possession. */
  readonly publicKey: string | undefined;
}

export interface UpdateAgent {
  readonly actor: Actor;
  readonly key: AgentKey;
  readonly change: AgentChange;
  /** Whether the caller may decide approvals. */
  readonly mayDecide: boolean;
  /** A token of another issuer about the agent. Null removes the stored one. */
  readonly externalToken: string | null | undefined;
}

/**
 * Changes an agent. If no value changes, the agent keeps its `updatedAt`, and no audit entry or event is written. Throws
 * `agent_not_found`, `conflict` if the agent is revoked or expired, or has five public keys already, and the errors of
 * `verifyExternalToken` and `useExternalToken`.
 */
export async function updateAgent(
  app: Parameters<typeof verifyExternalToken>[0] & Pick<App, "db">,
  { externalToken, ...command }: UpdateAgent,
  saveResponse: SaveResponse<AgentOverview>,
): Promise<AgentOverview> {
  const { key } = command;
  // Fetches the issuer's keys only for an agent that exists, and before the transaction begins.
  await requireAgent(app.db, key);
  const attestation =
    typeof externalToken === "string" ? await verifyExternalToken(app, { token: externalToken, key }) : externalToken;
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const at = app.clock.now();
    await raiseRevisionIfNeeded(tx, command, attestation);
    if (attestation) await useExternalToken(tx, key, attestation);
    const agent = await changeAgent(tx, { ...command, attestation, at });
    await saveResponse(tx, agent);
    return agent;
  });
}

/**
 * Raises the policy revision if the change can alter decisions about the agent's spendings. Throws `validation_error`
 * for an unknown policy, and `insufficient_scope` as `throwIfBoundToLess` does. The revision is locked before the
 * agent, as in every other change of agents.
 */
async function raiseRevisionIfNeeded(
  tx: Tx,
  { key, change, mayDecide }: Pick<UpdateAgent, "key" | "change" | "mayDecide">,
  attestation: unknown,
): Promise<void> {
  const { policyId, publicKey, expiresAt } = change;
  if (policyId !== undefined) {
    await bindPolicy(tx, key, policyId);
    const { policyId: from } = await requireAgent(tx, key);
    return throwIfBoundToLess(tx, key, { mayDecide, from, to: policyId });
  }
  const others = [publicKey, expiresAt, attestation];
  if (others.some((value) => value !== undefined)) await raisePolicyRevision(tx, key);
}

async function changeAgent(
  tx: Tx,
  {
    actor,
    key,
    change,
    attestation,
    at,
  }: Pick<UpdateAgent, "actor" | "key" | "change"> & {
    /** The verified external token. Null removes the stored one. */
    readonly attestation: VerifiedToken | null | undefined;
    readonly at: Date;
  },
): Promise<AgentOverview> {
  const [row, parent] = await requireAgentLocked(tx, key);
  const before = await getTenantAgent(tx, key);
  const columns = changedColumns(before, {
    ...applyChange(row, change, parent),
    ...attestationColumns(row, attestation, at),
  });
  const newKey = newPublicKey(before, change.publicKey);
  const fields = [...Object.keys(columns), ...(newKey === undefined ? [] : ["publicKeys"])];
  if (fields.length === 0) return before;

  throwIfEnded(row, at);
  await agentRows.update(tx, key, { ...columns, updatedAt: at });
  if (newKey !== undefined) {
    const { tenantId, mode, agentId } = key;
    await agentPublicKeyRows.insert(tx, { tenantId, mode, agentId, ...newKey, createdAt: at });
  }
  const agent = await getTenantAgent(tx, key);
  const levels = { before: kyaLevelAt(before, at), after: kyaLevelAt(agent, at) };
  await recordChanges(tx, actor, { agent, fields, levels, at });
  return agent;
}

interface RecordChanges {
  readonly agent: AgentOverview;
  readonly fields: readonly string[];
  readonly levels: { readonly before: string; readonly after: string };
  readonly at: Date;
}

async function recordChanges(tx: Tx, actor: Actor, { agent, fields, levels, at }: RecordChanges): Promise<void> {
  const names = [...new Set(fields.map((field) => FIELD_NAMES[field] ?? field))];
  const facts = { fields: names };
  await recordAgentChange(tx, actor, { action: "agent.updated", agent, facts, occurredAt: at });
  if (levels.before === levels.after) return;
  await recordAgentChange(tx, actor, {
    action: "agent.kya_changed",
    agent,
    facts: { kya_level: levels.after, previous_kya_level: levels.before },
    occurredAt: at,
  });
}

/** The fields' names in requests, where they differ. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  expiresAt: "expires_at",
  policyId: "policy_id",
  publicKeys: "public_key",
  attestedBy: "external_token",
  attestedAt: "external_token",
  attestedUntil: "external_token",
};

/** Returns the columns after the change. Those that stay as they are can be undefined. */
function applyChange(
  before: Agent,
  { name, description, software, policyId, expiresAt, metadata }: AgentChange,
  parent: Agent | undefined,
) {
  return {
    ...{ name, description, software, policyId },
    expiresAt: expiresAt === undefined ? undefined : earlierOf(expiresAt, parent?.expiresAt ?? null),
    metadata: mergedMetadata(before.metadata, metadata),
  };
}

type Attestation = Pick<Agent, "attestedBy" | "attestedAt" | "attestedUntil">;

function attestationColumns(
  before: Attestation,
  attestation: VerifiedToken | null | undefined,
  at: Date,
): Partial<Attestation> {
  if (attestation === undefined) return {};
  if (attestation === null) return { attestedBy: null, attestedAt: null, attestedUntil: null };
  const { issuer, expiresAt } = attestation;
  const isSame = before.attestedBy === issuer && before.attestedUntil?.getTime() === expiresAt.getTime();
  return isSame ? {} : { attestedBy: issuer, attestedAt: at, attestedUntil: expiresAt };
}

function changedColumns(
  before: Agent,
  after: { readonly [Name in keyof Agent]?: Agent[Name] | undefined },
): Partial<Agent> {
  const changed = Object.entries(after).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(before[name as keyof Agent], value),
  );
  return Object.fromEntries(changed);
}

function newPublicKey({ publicKeys }: AgentOverview, publicKey: string | undefined) {
  if (publicKey === undefined || publicKeys.some((key) => key.publicKey === publicKey)) {
    return undefined;
  }
  if (publicKeys.length >= PUBLIC_KEYS_MAX) {
    const detail = `An agent can have at most ${PUBLIC_KEYS_MAX} public keys.`;
    throw new AppError("conflict", { detail });
  }
  return { keyId: ed25519KeyId(publicKey), publicKey };
}

function throwIfEnded(agent: Agent, at: Date): void {
  const status = agentStatusAt(agent, at);
  if (status === "active" || status === "suspended") return;
  throw new AppError("conflict", {
    detail: `The agent is ${status} and cannot be changed.`,
  });
}
