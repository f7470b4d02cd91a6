import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { agentAccountOf } from "../../crypto/agent-account.ts";
import type { Tx } from "../../db/database.ts";
import { tryTransaction, withTransaction } from "../../db/transaction.ts";
import { type BlockchainNetwork, EVM_NETWORKS, isMainnet } from "../../foundation/blockchain-networks.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId, type WalletId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { registerAgent } from "../../modules/agents/create-agent.ts";
import { agentRows } from "../../modules/agents/queries.ts";
import { requirePermission } from "../../modules/decisions/decisions.ts";
import { lockPolicyRevision } from "../../modules/decisions/queries.ts";
import { requireSendingNetwork } from "../../modules/networks/networks.ts";
import { bindPolicy } from "../../modules/policies/bind-policy.ts";
import { raisePolicyRevision } from "../../modules/policies/queries.ts";
import { requireBundlerKeys } from "../../modules/user-operations/bundler-access.ts";
import { userOperationRows } from "../../modules/user-operations/queries.ts";
import { scheduleSending } from "../../modules/user-operations/schedule-sending.ts";
import type { WalletOverview } from "../../modules/wallets/queries.ts";
import { createWalletKey, type NewWalletKey, signerOfNewWallets } from "../../modules/wallets/signer/wallet-keys.ts";
import { addWallet, type NewWallet, requireNewWallet } from "../../modules/wallets/wallets.ts";
import { assertNotRevoked } from "../../revocations/revocations.ts";

export interface CreateWallet {
  readonly actor: Actor;
  readonly wallet: NewWallet;
  /** Whether the account of a live wallet is to be deployed at once. */
  readonly deploys: boolean;
}

/** Throws `network_not_enabled` if wallets of this mode cannot be on the network. */
export function requireEnabledNetwork(
  { settings }: Pick<App, "settings">,
  { network, mode }: { readonly network: BlockchainNetwork; readonly mode: Mode },
): void {
  const isEnabled = mode === "test" ? EVM_NETWORKS : settings.walletNetworks;
  const isSafe = mode === "test" || settings.profile !== "production" || !isMainnet(network);
  if (!isEnabled.includes(network) || !isSafe) throw new AppError("network_not_enabled");
}

/**
 * Creates a wallet of an agent, and the agent if its id is new. If the agent acts, its policies decide. Throws
 * `agent_suspended` if the agent is not active, `policy_denied` or `kya_required` if a policy refuses,
 * `wallet_already_exists`, `validation_error` for an unknown policy, if its key is held by a vendor `provider_not_configured` and
 * `provider_unavailable`, and if a live wallet is to be deployed at once `network_unavailable` and `provider_not_configured`.
 */
export async function createWallet(
  app: App,
  { actor, wallet, deploys }: CreateWallet,
  saveResponse: SaveResponse<WalletOverview>,
): Promise<WalletOverview> {
  const { tenantId, mode } = actor;
  // In test mode there is no chain. The account stays counterfactual.
  const isDeployed = deploys && mode === "live";
  if (isDeployed) {
    await requireSendingNetwork(app, wallet.network);
    await requireBundlerKeys(app, tenantId, wallet.network);
  }
  const walletId = newId("wal");
  const at = app.clock.now();
  // A vendor's key costs money, so nothing that would be refused gets one.
  if (signerOfNewWallets(app, mode) !== "local") {
    await tryTransaction(app.db, tenantId, async (tx) => {
      await authorize(tx, app, { actor, wallet, walletId, at });
      await requireNewWallet(tx, actor, wallet);
    });
  }
  const key = await createWalletKey(app, { ...wallet, tenantId, mode, walletId });
  const { recoveryAddress } = wallet;
  const account = agentAccountOf(app.settings.contractsDeployment, {
    ...{ owner: key.owner, recoveryAddress, salt: 0n },
  });
  return withTransaction(app.db, tenantId, async (tx) => {
    await authorize(tx, app, { actor, wallet, walletId, at });
    const created = await addWallet(tx, actor, { walletId, wallet, account, key, isDeployed, at });
    if (isDeployed) await beginDeployment(tx, created);
    await saveResponse(tx, created);
    return created;
  }).catch(async (error: unknown) => {
    await discardKey(app, { walletId, key, error });
    throw error;
  });
}

/** Destroys the key of a wallet that is not stored. After an error of the database, it may be stored, and the key is kept. */
async function discardKey(
  { log }: Pick<App, "log">,
  { walletId, key, error }: { readonly walletId: WalletId; readonly key: NewWalletKey; readonly error: unknown },
): Promise<void> {
  try {
    const isRolledBack = error instanceof AppError && error.code !== "service_unavailable";
    if (!isRolledBack && key.signer !== "local") throw error;
    await key.discard();
  } catch (err) {
    const { signer } = key;
    log.error(
      { walletId, signer, err },
      "the key of a wallet that may not be stored is kept: operator action required",
    );
  }
}

/** Registers the agent, and throws what refuses its wallet. */
async function authorize(
  tx: Tx,
  app: App,
  { actor, wallet, walletId, at }: Pick<CreateWallet, "actor" | "wallet"> & { walletId: WalletId; at: Date },
): Promise<void> {
  const { tenantId, mode } = actor;
  // Kill switches lock creations before the policy revision, so this does too.
  await assertNotRevoked(tx, actor, { agentIds: [wallet.agentId] });
  await lockPolicies(tx, actor, wallet);
  await registerAgent(tx, app, actor, wallet);
  if (actor.actor.type !== "agent") return;
  await requirePermission(tx, {
    ...{ tenantId, mode, agentId: wallet.agentId, projectId: null, at },
    facts: { operation: "wallet.create", network: wallet.network },
    cause: { causeType: "wallet", causeId: walletId },
    approvalDetail:
      "A policy of the agent requires an approval, which cannot be requested for wallets. Create the wallet with a key that is not bound to agents, and without X-Agent-ID.",
  });
}

/** Begins the operation that deploys the account, in the first lane. */
async function beginDeployment(tx: Tx, { tenantId, walletId, network, epoch, createdAt }: WalletOverview) {
  await userOperationRows.insert(tx, {
    ...{ tenantId, operationId: newId("uop"), walletId, network, paymentId: null, lane: 0 },
    ...{ walletEpoch: epoch, createdAt },
  });
  await scheduleSending(tx, { tenantId, walletId }, createdAt);
}

/** Locks the policy revision before the agent. Raises it if an object comes to name a policy, or an agent is created. */
async function lockPolicies(tx: Tx, { tenantId, mode }: Actor, { agentId, policyId }: NewWallet): Promise<void> {
  const owner = { tenantId, mode };
  if (policyId !== null) return bindPolicy(tx, owner, policyId);
  const agent = await agentRows.find(tx, { ...owner, agentId });
  if (agent !== undefined) return lockPolicyRevision(tx, owner);
  await raisePolicyRevision(tx, owner);
}
