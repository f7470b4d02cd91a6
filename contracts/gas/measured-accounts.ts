import { type Address, encodeFunctionData, erc20Abi, type Hex } from "viem";
import { getUserOperationHash } from "viem/account-abstraction";
import { foundry } from "viem/chains";
import { encodeTransfer, type Operation } from "../chain/agent-account.ts";
import { ENTRY_POINT_ADDRESS } from "../chain/entry-point.ts";
import { BALANCE, type WalletChain } from "../local/wallet-chain.ts";

/** An account whose transfers are measured. */
export interface MeasuredAccount {
  readonly name: string;
  readonly address: Address;
  readonly paysForItself: boolean;
  /** Returns a signed operation that transfers the token, and deploys the account if it is not deployed. */
  transfer(recipient: Address, amount: bigint, isSponsored: boolean): Promise<Operation>;
}

/** An account of someone else, which one ECDSA key owns. */
interface OtherAccount {
  readonly name: string;
  readonly factory: { readonly address: Address; readonly data: Hex };
  readonly address: Address;
  /** Returns the call of the account that makes this call. */
  encodeCall(target: Address, data: Hex): Hex;
  sign(operationHash: Hex): Promise<Hex>;
}

export async function newAgentAccount(chain: WalletChain): Promise<MeasuredAccount> {
  const wallet = await chain.newWallet();
  return {
    name: "AgentAccount",
    address: wallet.address,
    paysForItself: false,
    async transfer(recipient, amount) {
      return chain.operationOf(wallet, encodeTransfer(chain.token, recipient, amount));
    },
  };
}

/** Gives the token to an account that is not deployed. */
export async function newOtherAccount(
  chain: WalletChain,
  { name, factory, address, encodeCall, sign }: OtherAccount,
): Promise<MeasuredAccount> {
  const wallet = { address, factory: factory.address, factoryData: factory.data };
  await chain.mint(address, BALANCE);
  return {
    name,
    address,
    paysForItself: true,
    async transfer(recipient, amount, isSponsored) {
      const data = encodeFunctionData({
        abi: erc20Abi,
        functionName: "transfer",
        args: [recipient, amount],
      });
      const plain = await chain.unsignedOperation(wallet, encodeCall(chain.token, data));
      const operation = isSponsored ? await chain.sponsor(plain) : plain;
      const hash = getUserOperationHash({
        chainId: foundry.id,
        entryPointAddress: ENTRY_POINT_ADDRESS,
        entryPointVersion: "0.8",
        userOperation: operation,
      });
      return { ...operation, signature: await sign(hash) };
    },
  };
}
