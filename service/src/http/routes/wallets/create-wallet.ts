import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { AppError } from "../../../foundation/errors.ts";
import { Clearable, Metadata, STORABLE_TEXT } from "../../../foundation/wire/fields.ts";
import { StrictObject } from "../../../foundation/wire/named-object.ts";
import type { NewWallet } from "../../../modules/wallets/create-wallet.ts";
import type { WalletOverview } from "../../../modules/wallets/queries.ts";
import { presentWallet, WalletResource } from "../../../modules/wallets/wallet-resource.ts";
import { createWallet, requireEnabledNetwork } from "../../../workflows/wallets/create-wallet.ts";
import { agentActorOf, scopeOf } from "../../auth/principal.ts";
import { replyOnce } from "../../idempotency.ts";
import { endpoint } from "../../route.ts";
import { agentIdOf, requireOwnAgent } from "../agents/acting-agent.ts";
import { AgentId } from "../agents/agent-fields.ts";
import { checksumAddress, NetworkIn, networkOf, WalletName } from "./wallet-fields.ts";

const RETENTION_HOURS = 30 * 24;

const WalletCreateRequest = StrictObject("WalletCreateRequest", {
  agent_id: {
    ...AgentId,
    description: "The agent that owns the wallet: a UUID. An unknown id creates the agent, with the starter policy.",
  },
  network: NetworkIn,
  name: Type.Optional(Clearable(WalletName)),
  account_type: Type.Optional(
    Type.Enum(["erc4337_v0.8"], { description: "The kind of account. Default: `erc4337_v0.8`." }),
  ),
  deploy: Type.Optional(
    Type.Enum(["counterfactual", "immediate"], {
      description:
        "When the account's contract is deployed. Default: `counterfactual`, with the first payment. In test mode no contract is deployed, and `immediate` has no effect. In live mode `immediate` fails with `network_unavailable`.",
    }),
  ),
  gas: Type.Optional(Type.Enum(["sponsored"], { description: "Who pays for the network. Default: `sponsored`." })),
  policy_id: Type.Optional(
    Clearable(
      Type.String({
        maxLength: 100,
        ...STORABLE_TEXT,
        description: "A policy of the same mode that applies to the wallet in addition to those that name it.",
      }),
    ),
  ),
  recovery_address: Type.Optional(
    Clearable(
      Type.String({
        maxLength: 42,
        description:
          "The address that can replace a lost key after a delay, in one case or with the checksum of EIP-55.",
      }),
    ),
  ),
  metadata: Type.Optional({
    ...Metadata,
    description: "Up to 50 key-value pairs that you choose. Default: `{}`.",
  }),
});

export const createWalletRoute = endpoint("POST /api/v1/svc/wallets/create", {
  operationId: "createWallet",
  sdk: "wallets.create",
  summary: "Create a wallet",
  description:
    "Creates the agent's wallet on a network: a smart account (ERC-4337) whose address is known before it is deployed. An agent has at most one wallet on each network in each mode: otherwise fails with `wallet_already_exists` and the `wallet_id`. Fails with `agent_suspended` if the agent is not active or was deleted, and with `network_not_enabled` if wallets on the network are not available. If the request has `X-Agent-ID` or its key is bound to agents, the agent's policies decide about `wallet.create`. A key that is bound to agents cannot send `policy_id` or `recovery_address`.",
  auth: "tenant",
  scope: "wallets:write",
  replayGuard: "strict",
  agentBound: "allowed",
  body: WalletCreateRequest,
  answers: { 201: WalletResource },
  errors: ["agent_not_found", "policy_not_found", "wallet_already_exists", "agent_suspended", "network_not_enabled"],
  example: { agent_id: "AGENT_ID", network: "base" },
  run: async (app, request, reply) => {
    const { body } = request;
    const agentId = agentIdOf(request, body.agent_id);
    const wallet = newWalletOf(body, agentId);
    rejectFieldsOfDeveloper(request, wallet);
    const actor = agentActorOf(request, agentId);
    requireEnabledNetwork(app, { ...wallet, mode: actor.mode });
    const isDeployed = body.deploy === "immediate";
    const present = (created: WalletOverview) => presentWallet(created, created.createdAt);
    const options = { status: 201, present, retentionHours: RETENTION_HOURS } as const;
    return replyOnce(app, request, reply, options, async (saveResponse) => {
      requireOwnAgent(request, agentId);
      return createWallet(app, { actor, wallet, isDeployed }, saveResponse);
    });
  },
});

/**
 * Throws `insufficient_scope` if a key that is bound to agents names a policy or a recovery address. The starter policy does
 * not apply to a wallet that names another policy, so an agent could choose what it may pay. The recovery address could take
 * the wallet over after the agent was stopped.
 */
function rejectFieldsOfDeveloper(request: FastifyRequest, wallet: NewWallet): void {
  if (scopeOf(request).agentIds.length === 0) return;
  const { policyId, recoveryAddress } = wallet;
  const field = (policyId !== null && "policy_id") || (recoveryAddress !== null && "recovery_address");
  if (field === false) return;
  throw new AppError("insufficient_scope", {
    detail: `A key that is bound to agents cannot set ${field}. Create the wallet with a key that is not bound to agents.`,
  });
}

function newWalletOf(body: Static<typeof WalletCreateRequest>, agentId: string): NewWallet {
  const { recovery_address: recovery } = body;
  return {
    agentId,
    network: networkOf(body.network),
    name: body.name ?? null,
    policyId: body.policy_id ?? null,
    recoveryAddress: typeof recovery === "string" ? checksumAddress(recovery, "/body/recovery_address") : null,
    metadata: body.metadata ?? {},
  };
}
