import type { App } from "../../app.ts";
import { addressOfKey } from "../../crypto/guardian-transaction.ts";
import type { BlockchainNetwork } from "../../foundation/blockchain-networks.ts";
import { readPaymasterDeposit } from "../../modules/user-operations/account-state.ts";
import { isFailure } from "../../ports/vendor-error.ts";

/** More than a payment that deploys its account, or a freeze that does. */
const GAS_OF_A_TRANSACTION = 300_000n;
/** More than fifty first checkpoints. */
const GAS_OF_AN_ANCHORING = 3_000_000n;
const TRANSACTIONS_MIN = 20n;

interface Fund {
  readonly address?: string;
  readonly available: bigint;
}

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
    const funds: readonly (readonly [name: string, fund: Fund | null, gas: bigint])[] = [
      ["freezer's balance", await balanceOf(freezer), GAS_OF_A_TRANSACTION],
      ["unfreezer's balance", await balanceOf(unfreezer), GAS_OF_A_TRANSACTION],
      [
        "audit anchor's balance",
        await fundOf(payer?.network === network ? payer.address : undefined),
        GAS_OF_AN_ANCHORING,
      ],
      ["paymaster's deposit", { available: await readPaymasterDeposit(app, chain) }, GAS_OF_A_TRANSACTION],
    ];
    for (const [name, fund, gas] of funds) {
      const required = TRANSACTIONS_MIN * gas * maxFeePerGas;
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
