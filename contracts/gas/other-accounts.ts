import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Address, encodeFunctionData, type Hex, pad, parseAbi } from "viem";
import { ENTRY_POINT_ADDRESS } from "../chain/entry-point.ts";
import { compileSolidity } from "../local/compile-solidity.ts";
import type { WalletChain } from "../local/wallet-chain.ts";
import { type MeasuredAccount, newOtherAccount } from "./measured-accounts.ts";

/** Returns the SimpleAccount of `@account-abstraction/contracts`, which was published with the EntryPoint. */
export async function newSimpleAccount(chain: WalletChain): Promise<MeasuredAccount> {
  const abi = parseAbi([
    "constructor(address entryPoint)",
    "function createAccount(address owner, uint256 salt) returns (address)",
    "function getAddress(address owner, uint256 salt) view returns (address)",
  ]);
  const factory = await chain.deploy({ abi, bytecode: await simpleFactoryCode() }, [
    ENTRY_POINT_ADDRESS,
  ]);
  const owner = chain.newKey();
  const args = [owner.address, 0n] as const;
  return newOtherAccount(chain, {
    name: "SimpleAccount 0.8",
    factory: {
      address: factory,
      data: encodeFunctionData({ abi, functionName: "createAccount", args }),
    },
    address: await chain.local.publicClient.readContract({
      ...{ address: factory, abi, args },
      functionName: "getAddress",
    }),
    encodeCall: encodeExecute,
    sign: async (hash) => (await owner.sign?.({ hash })) ?? "0x",
  });
}

/** Returns the `ERC4337` of Solady, behind a proxy of its `ERC4337Factory`. */
export async function newSoladyAccount(chain: WalletChain): Promise<MeasuredAccount> {
  const abi = parseAbi([
    "function createAccount(bytes32 ownSalt) returns (address)",
    "function getAddress(bytes32 ownSalt) view returns (address)",
  ]);
  const compiled = compileSolidity("gas/other-accounts/SoladyAccount.sol", true);
  const implementation = await chain.deploy(compiled("SoladyAccount"));
  const factory = await chain.deploy(compiled("SoladyAccountFactory"), [implementation]);
  const owner = chain.newKey();
  // The salt begins with the owner.
  const args = [pad(owner.address, { dir: "right" })] as const;
  return newOtherAccount(chain, {
    name: "Solady ERC4337",
    factory: {
      address: factory,
      data: encodeFunctionData({ abi, functionName: "createAccount", args }),
    },
    address: await chain.local.publicClient.readContract({
      ...{ address: factory, abi, args },
      functionName: "getAddress",
    }),
    encodeCall: encodeExecute,
    sign: (hash) => owner.signMessage({ message: { raw: hash } }),
  });
}

function encodeExecute(target: Address, data: Hex): Hex {
  return encodeFunctionData({
    abi: parseAbi(["function execute(address target, uint256 value, bytes data)"]),
    functionName: "execute",
    args: [target, 0n, data],
  });
}

async function simpleFactoryCode(): Promise<Hex> {
  const file = "@account-abstraction/contracts/artifacts/SimpleAccountFactory.json";
  const text = await readFile(createRequire(import.meta.url).resolve(file), "utf8");
  const { bytecode }: { bytecode: Hex } = JSON.parse(text);
  return bytecode;
}
