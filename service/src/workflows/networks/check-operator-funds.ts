import type { App } from "../../app.ts";
import { addressOfKey } from "../../crypto/guardian-transaction.ts";
import type { BlockchainNetwork } from "../../foundation/blockchain-networks.ts";
import { readPaymasterDeposit } from "../../modules/user-operations/account-state.ts";
import { isFailure } from "../../ports/vendor-error.ts";

/** More than a payment that deploys its account, or a freeze that does. */
const GAS_OF_A_TRANSACTION = 300_000n;
const TRANSACTIONS_MIN = 20n;

/**
 * Logs an error for each of the operator's keys that could not pay for twenty more transactions on a network, the audit anchor's
 * included, and for the deposit of the paymaster. Does nothing if no node answers.
 */
export async function checkOperatorFunds(app: App, network: BlockchainNetwork): Promise<void> {
  const chain = app.evmNetworks.get(network);
  if (chain === undefined) return;
  const { freezer, unfreezer } = app.operatorKeys;
  const { payer } = app.auditAnchor;
  const fundOf = async (address: string | undefined) =>
    address === undefined ? null : { address, available: await chain.readCoinBalance(address) };
  const balanceOf = async (key: string | null) => await fundOf(key === null ? undefined : addressOfKey(key));
  try {
    const { maxFeePerGas } = await chain.readGasPrice();
    const required = TRANSACTIONS_MIN * GAS_OF_A_TRANSACTION * maxFeePerGas;
    const funds = {
      "freezer's balance": await balanceOf(freezer),
      "unfreezer's balance": await balanceOf(unfreezer),
      "audit anchor's balance": await fundOf(payer?.network === network ? payer.address : undefined),
      "paymaster's deposit": { address: undefined, available: await readPaymasterDeposit(app, chain) },
    };
    for (const [name, fund] of Object.entries(funds)) {
      if (fund === null || fund.available >= required) continue;
      const { address, available } = fund;
      app.log.error(
        { network, address, available: String(available), required: String(required) },
        `the ${name} pays for less than ${TRANSACTIONS_MIN} transactions: operator action required`,
      );
    }
  } catch (error) {
    if (!isFailure(error, "unavailable")) throw error;
  }
}
