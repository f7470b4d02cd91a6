import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { WalletId } from "../../foundation/ids.ts";
import { FREEZE_REASONS } from "../../foundation/vocabulary.ts";
import type { AgentKey } from "../../modules/agents/index.ts";
import { freezeWallets, listAgentWalletIds } from "../../modules/wallets/index.ts";

/**
 * Freezes all wallets of a revoked agent, as the developer, and returns their ids. The reason is `policy_violation` unless
 * the agent was revoked with the name of another reason. Any other text becomes the note of the freeze.
 */
export async function freezeRevokedAgent(
  tx: Tx,
  { actor, key, reason: text }: { readonly actor: Actor; readonly key: AgentKey; readonly reason: string | null },
  at: Date,
): Promise<readonly WalletId[]> {
  const walletIds = await listAgentWalletIds(tx, key);
  // `other` requires a note.
  const named = FREEZE_REASONS.find((reason) => reason === text && reason !== "other");
  const freeze = {
    mode: "full",
    source: "developer",
    reason: named ?? "policy_violation",
    note: named === undefined ? text : null,
    reference: null,
    expiresAt: null,
  } as const;
  await freezeWallets(tx, actor, { walletIds, freeze, at });
  return walletIds;
}
