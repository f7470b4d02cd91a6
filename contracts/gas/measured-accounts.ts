import { type Abi, type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from "viem";
import { entryPoint08Address, getUserOperationHash } from "viem/account-abstraction";
import { foundry } from "viem/chains";
import { encodeTransfer, type Operation } from "../chain/agent-account.ts";
import { BALANCE, type WalletChain } from "../test-support/wallet-chain.ts";

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
  readonly factory: Address;
  /** The parameters of the factory's functions `createAccount` and `getAddress`, in Solidity. */
  readonly parameters: string;
  readonly args: readonly unknown[];
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
      return chain.operationOf(wallet, (epochId) => encodeTransfer(epochId, chain.token, recipient, amount));
    },
  };
}

/** Gives the token to an account that is not deployed. */
export async function newOtherAccount(
  chain: WalletChain,
  { name, factory, parameters, args, encodeCall, sign }: OtherAccount,
): Promise<MeasuredAccount> {
  const abi: Abi = parseAbi([
    `function createAccount(${parameters}) returns (address)`,
    `function getAddress(${parameters}) view returns (address)`,
  ]);
  const address = (await chain.local.publicClient.readContract({
    ...{ address: factory, abi, args },
    functionName: "getAddress",
  })) as Address;
  const factoryData = encodeFunctionData({ abi, functionName: "createAccount", args });
  const wallet = { address, factory, factoryData };
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
        entryPointAddress: entryPoint08Address,
        entryPointVersion: "0.8",
        userOperation: operation,
      });
      return { ...operation, signature: await sign(hash) };
    },
  };
}
