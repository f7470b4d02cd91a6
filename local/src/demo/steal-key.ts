import { agentAccountAbi } from "@purser/contracts/abi/agent-account.ts";
import type { App } from "@purser/service/app.ts";
import { nonceKeyOf } from "@purser/service/crypto/user-operation.ts";
import { usdcOf } from "@purser/service/foundation/blockchain-networks.ts";
import type { WalletId } from "@purser/service/foundation/ids.ts";
import { requireEvmNetwork } from "@purser/service/modules/networks/networks.ts";
import { readAccountState, readNonce } from "@purser/service/modules/user-operations/account-state.ts";
import {
  buildOperation,
  signOperation,
  sponsorOperation,
} from "@purser/service/modules/user-operations/build-operation.ts";
import { openBundler } from "@purser/service/modules/user-operations/bundler-access.ts";
import { walletRowsOfAnyTenant } from "@purser/service/modules/wallets/queries.ts";
import { VendorError } from "@purser/service/ports/vendor-error.ts";
import { BaseError, createPublicClient, decodeErrorResult, encodeFunctionData, type Hex, http } from "viem";
import { entryPoint08Abi, entryPoint08Address, toPackedUserOperation } from "viem/account-abstraction";

type SignedBytes = Awaited<ReturnType<typeof signOperation>>;

/** The lane of the nonces: the service uses the first ones. */
const LANE = 7;
const VALID_SECONDS = 3_600;
/** A thief's own address: the last account of anvil but two. */
const SENDER = -3;
const GAS_LIMIT = "0x2dc6c0";
const EPOCH_SALT_BITS = 48n;

export interface Thief {
  /** Signs a payment of 1 USDC for an epoch of the account: the present one, or one that is later by so many. */
  sign(laterBy?: bigint): Promise<SignedBytes>;
  /** Hands a payment to the bundler. Returns its answer. */
  sendToBundler(payment: SignedBytes): Promise<string>;
  /** Hands a payment to the EntryPoint, without a bundler. Returns what has become of it. */
  sendToEntryPoint(payment: SignedBytes): Promise<{ readonly hash: Hex; readonly outcome: string }>;
}

/** Acts as someone who has the key of a wallet: signs with it, and sends what is signed around the service. */
export async function createThief(app: App, walletId: WalletId, rpcUrl: string, payee: Hex): Promise<Thief> {
  const wallet = await walletRowsOfAnyTenant.find(app.db, { walletId });
  if (wallet === undefined) throw new Error(`There is no wallet ${walletId}.`);
  const chain = requireEvmNetwork(app, wallet.network);
  const client = createPublicClient({ transport: http(rpcUrl) });

  return {
    sign: async (laterBy = 0n) => {
      const present = await readAccountState(app, chain, wallet);
      // The salt of a later epoch cannot be known.
      const epochId =
        laterBy === 0n ? present.epochId : ((present.epochId >> EPOCH_SALT_BITS) + laterBy) << EPOCH_SALT_BITS;
      const { timestamp } = await client.getBlock();
      const plan = {
        wallet,
        account: { ...present, epochId },
        nonce: await readNonce(chain, wallet.address, nonceKeyOf(epochId, LANE)),
        gasPrice: await chain.readGasPrice(),
        validUntil: Number(timestamp) + VALID_SECONDS,
        transfer: { epochId, token: usdcOf(wallet.network), recipient: payee, amount: 1_000_000n },
      };
      const sponsored = sponsorOperation(app, plan, buildOperation(app, plan));
      return await signOperation(app, plan, sponsored, new Date());
    },
    sendToBundler: async ({ json }) => {
      const bundler = await openBundler(app, wallet.tenantId, wallet.network);
      try {
        return `accepted as ${await bundler.sendOperation(json)}`;
      } catch (error) {
        if (!(error instanceof VendorError)) throw error;
        return `refused: ${error.vendorCode} ${error.vendorMessage}`;
      }
    },
    sendToEntryPoint: async ({ operation }) => {
      const accounts = await client.request({ method: "eth_accounts" } as never);
      const from = (accounts as Hex[]).at(SENDER) as Hex;
      const packed = toPackedUserOperation(operation as never);
      const data = encodeFunctionData({ abi: entryPoint08Abi, functionName: "handleOps", args: [[packed], from] });
      const call = { from, to: entryPoint08Address, data };
      const outcome = await client.call({ account: from, to: entryPoint08Address, data }).then(
        () => "executed",
        (error: unknown) => `refused: ${reasonOf(error)}`,
      );
      // With a limit of gas, it is not estimated, and reverts in a block.
      const hash: Hex = await client.request({
        method: "eth_sendTransaction",
        params: [{ ...call, gas: GAS_LIMIT }],
      } as never);
      const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
      return { hash, outcome: `${outcome}, ${status}` };
    },
  };
}

/** Returns the account's own error, from inside that of the EntryPoint. */
function reasonOf(error: unknown): string {
  const data = error instanceof BaseError ? error.walk((each) => Object(each).data !== undefined) : undefined;
  const failed = decodeErrorResult({ abi: entryPoint08Abi, data: Object(data).data });
  const inner = failed.errorName === "FailedOpWithRevert" ? failed.args[2] : undefined;
  if (inner === undefined) return String(failed.args?.[1] ?? failed.errorName);
  return decodeErrorResult({ abi: agentAccountAbi, data: inner }).errorName;
}
