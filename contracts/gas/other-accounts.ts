import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Address, encodeFunctionData, type Hex, pad, parseAbi } from "viem";
import { entryPoint08Address } from "viem/account-abstraction";
import { compileSolidity } from "../test-support/compile-solidity.ts";
import type { WalletChain } from "../test-support/wallet-chain.ts";
import { type MeasuredAccount, newOtherAccount } from "./measured-accounts.ts";

/** Returns the SimpleAccount of `@account-abstraction/contracts`, which was published with the EntryPoint. */
export async function newSimpleAccount(chain: WalletChain): Promise<MeasuredAccount> {
  const abi = parseAbi(["constructor(address entryPoint)"]);
  const factory = await chain.deploy({ abi, bytecode: await simpleFactoryCode() }, [entryPoint08Address]);
  const owner = chain.newKey();
  return newOtherAccount(chain, {
    name: "SimpleAccount 0.8",
    factory,
    parameters: "address owner, uint256 salt",
    args: [owner.address, 0n],
    encodeCall: encodeExecute,
    sign: async (hash) => (await owner.sign?.({ hash })) ?? "0x",
  });
}

/** Returns the `ERC4337` of Solady, behind a proxy of its `ERC4337Factory`. */
export async function newSoladyAccount(chain: WalletChain): Promise<MeasuredAccount> {
  const compiled = compileSolidity("gas/other-accounts/SoladyAccount.sol", true);
  const implementation = await chain.deploy(compiled("SoladyAccount"));
  const factory = await chain.deploy(compiled("SoladyAccountFactory"), [implementation]);
  const owner = chain.newKey();
  return newOtherAccount(chain, {
    name: "Solady ERC4337",
    factory,
    parameters: "bytes32 salt",
    // The salt begins with the owner.
    args: [pad(owner.address, { dir: "right" })],
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
