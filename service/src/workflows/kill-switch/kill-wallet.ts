import type { WalletId } from "../../foundation/ids.ts";
import { freezeWallets } from "../../modules/wallets/freezes/freeze-wallets.ts";
import { readFreezeMode } from "./queries.ts";
import type { TargetKind } from "./target-kind.ts";

/** Freezes a wallet in both directions. Its chain is simulated in test mode, and cannot be called yet in live mode. */
export const killWallet: TargetKind["kill"] = async (tx, app, { actor, killSwitch }, id) => {
  const { mode, onchain, reason, killSwitchId } = killSwitch;
  const walletId = id as WalletId;
  const before = await readFreezeMode(tx, killSwitch, walletId);
  const isSimulated = onchain && mode === "test";
  await freezeWallets(tx, actor, {
    walletIds: [walletId],
    freeze: {
      mode: "full",
      source: "developer",
      reason: "other",
      note: reason,
      reference: killSwitchId,
      expiresAt: null,
    },
    simulatesChain: isSimulated,
    at: app.clock.now(),
  });
  const onchainOutcome = isSimulated ? "simulated" : "blocked_pending";
  return {
    outcome: before === "full" ? "already_dead" : "killed",
    onchain: onchain ? onchainOutcome : null,
  };
};
