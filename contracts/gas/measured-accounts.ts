import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from "viem";
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

const SIMPLE_ABI = parseAbi([
  "constructor(address entryPoint)",
  "function createAccount(address owner, uint256 salt) returns (address)",
  "function getAddress(address owner, uint256 salt) view returns (address)",
  "function execute(address target, uint256 value, bytes data)",
]);

/** Returns the SimpleAccount of `@account-abstraction/contracts`, which was published with the EntryPoint. */
export async function newSimpleAccount(chain: WalletChain): Promise<MeasuredAccount> {
  const { publicClient } = chain.local;
  const abi = SIMPLE_ABI;
  const factory = await chain.deploy({ abi, bytecode: await simpleFactoryCode() }, [
    ENTRY_POINT_ADDRESS,
  ]);
  const owner = chain.newKey();
  const args = [owner.address, 0n] as const;
  const address = await publicClient.readContract({
    ...{ address: factory, abi, args },
    functionName: "getAddress",
  });
  const factoryData = encodeFunctionData({ abi, functionName: "createAccount", args });
  await chain.mint(address, BALANCE);
  return {
    name: "SimpleAccount 0.8",
    address,
    paysForItself: true,
    async transfer(recipient, amount, isSponsored) {
      const transfer = encodeFunctionData({
        abi: erc20Abi,
        functionName: "transfer",
        args: [recipient, amount],
      });
      const callData = encodeFunctionData({
        abi,
        functionName: "execute",
        args: [chain.token, 0n, transfer],
      });
      const plain = await chain.unsignedOperation({ address, factory, factoryData }, callData);
      const operation = isSponsored ? await chain.sponsor(plain) : plain;
      const hash = getUserOperationHash({
        chainId: foundry.id,
        entryPointAddress: ENTRY_POINT_ADDRESS,
        entryPointVersion: "0.8",
        userOperation: operation,
      });
      return { ...operation, signature: (await owner.sign?.({ hash })) ?? "0x" };
    },
  };
}

async function simpleFactoryCode(): Promise<Hex> {
  const file = "@account-abstraction/contracts/artifacts/SimpleAccountFactory.json";
  const text = await readFile(createRequire(import.meta.url).resolve(file), "utf8");
  const { bytecode }: { bytecode: Hex } = JSON.parse(text);
  return bytecode;
}
