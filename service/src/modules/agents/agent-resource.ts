import { type Static, Type } from "typebox";
import { AGENT_STATUSES, type AgentStatus, KYA_LEVELS } from "../../foundation/vocabulary.ts";
import {
  Count,
  DecimalOut,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { kyaAt } from "./kya/kya.ts";
import type { Agent, AgentOverview } from "./queries.ts";

/** Returns the agent's status. An agent is expired from the very second of its expiry, before a job writes it down. */
export function agentStatusAt({ status, expiresAt }: Pick<Agent, "status" | "expiresAt">, at: Date): AgentStatus {
  const canExpire = status === "active" || status === "suspended";
  return canExpire && expiresAt !== null && expiresAt <= at ? "expired" : status;
}

/**
 * Returns `active` if the agent and all its ancestors are active. Otherwise returns the status of the first one that is
 * not: an agent cannot act while an ancestor cannot.
 *
 * @param lineage the agent, its parent and so on
 */
export function effectiveStatusAt(lineage: readonly Pick<Agent, "status" | "expiresAt">[], at: Date): AgentStatus {
  return lineage.map((agent) => agentStatusAt(agent, at)).find((status) => status !== "active") ?? "active";
}

/** Returns the earlier of two expiries. Null means that something never expires. */
export function earlierOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

const Kya = NamedObject("AgentKya", {
  level: OneOf(
    KYA_LEVELS,
    "The level of the highest evidence. `attested`: a token of another issuer. `verified`: the developer's business is verified. `basic`: a public key whose private key the agent holds.",
  ),
  score: Nullable(Count("Always null in this API version.")),
  status: OneOf(
    ["passed", "failed", "pending", "expired"],
    "`passed` if the level is not `none`. `expired` if the only evidence is an expired token, else `pending`. `failed` is reserved.",
  ),
  evidence: Type.Array(
    Type.Object({
      type: Type.Enum(["developer_kyb", "public_key", "external_token"]),
      issuer: Type.Optional(Text("The issuer of an external token.")),
      status: Type.Enum(["verified", "proven", "expired"]),
    }),
  ),
  evaluated_at: Timestamp,
  expires_at: Nullable(Timestamp, "When the evidence for the level expires. Null if it never does."),
  token_url: Text("URL path that returns a token about the agent."),
});

const PeriodBudget = NamedObject("PeriodBudget", {
  limit: { ...DecimalOut, examples: ["50.00"] },
  used: { ...DecimalOut, examples: ["3.10"] },
  remaining: { ...DecimalOut, examples: ["46.90"] },
});

/** The name, version and model of the software that an agent runs. */
const AgentSoftwareResource = Type.Object({
  name: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
});

export const AgentResource = NamedObject("Agent", {
  object: Type.Literal("agent"),
  agent_id: Type.String({ format: "uuid" }),
  mode: ModeName,
  name: Type.String(),
  description: Nullable(Type.String()),
  status: OneOf(
    AGENT_STATUSES,
    "Status of the agent. Only an `active` agent can act, and only while all its ancestors are active. `revoked` and `expired` are final.",
  ),
  owner_developer_id: Type.String(),
  project_ids: ListOf(Type.String(), "The projects whose `agent_ids` include the agent, at most 100."),
  policy_id: Nullable(Type.String(), "A policy that applies to the agent in addition to those that name it."),
  kya: Kya,
  public_keys: ListOf(
    Type.Object({
      kid: Text("The first 16 hex characters of the SHA-256 of the raw public key."),
      alg: Type.Enum(["ed25519"]),
      public_key: Text("The raw public key in base64url."),
    }),
    "Public keys whose private keys the agent has proved to hold.",
  ),
  software: Nullable(AgentSoftwareResource),
  budget: Nullable(
    Type.Object({
      currency: Type.Enum(["usd"]),
      daily: Nullable(PeriodBudget),
      monthly: Nullable(PeriodBudget),
    }),
    "What the limits of its policies leave. Null if there are none, and in every response but that of `GET /agents/{agent_id}`.",
  ),
  expires_at: Nullable(Timestamp, "When the agent expires. Null if it never does."),
  parent_agent_id: Nullable(Type.String(), "The agent that this agent acts for. Its policies apply too."),
  metadata: Type.Record(Type.String(), Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export function presentAgent(
  agent: AgentOverview,
  at: Date,
  budget: Static<typeof AgentResource>["budget"] = null,
): Static<typeof AgentResource> {
  return toWire(AgentResource, agent, {
    status: agentStatusAt(agent, at),
    owner_developer_id: agent.tenantId,
    kya: presentKya(agent, at),
    public_keys: agent.publicKeys.map(({ keyId, publicKey }) => ({
      kid: keyId,
      alg: "ed25519" as const,
      public_key: publicKey,
    })),
    budget,
    parent_agent_id: agent.ancestorIds[0] ?? null,
  });
}

function presentKya(agent: AgentOverview, at: Date): Static<typeof Kya> {
  return toWire(Kya, kyaAt(agent, at), {
    score: null,
    evaluated_at: at.toISOString(),
    token_url: `/api/v1/svc/agents/${agent.agentId}/kya-token`,
  });
}
