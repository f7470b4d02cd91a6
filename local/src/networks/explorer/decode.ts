import { agentAccountAbi } from "@purser/contracts/abi/agent-account.ts";
import { agentAccountFactoryAbi } from "@purser/contracts/abi/agent-account-factory.ts";
import { agentGuardianAbi } from "@purser/contracts/abi/agent-guardian.ts";
import { verifyingPaymasterAbi } from "@purser/contracts/abi/verifying-paymaster.ts";
import { type Abi, decodeAbiParameters, decodeEventLog, erc20Abi, type Log, toFunctionSelector } from "viem";
import { entryPoint08Abi } from "viem/account-abstraction";
import { formatAbiItem, parseAbi } from "viem/utils";

const OWN_ABIS = [...agentAccountAbi, ...agentAccountFactoryAbi, ...agentGuardianAbi, ...verifyingPaymasterAbi];
const REVERT_ABI = parseAbi(["error Error(string message)", "error Panic(uint256 code)"]);
const ABI: Abi = [...entryPoint08Abi, ...OWN_ABIS, ...erc20Abi, ...REVERT_ABI];
const ITEMS = ABI.filter((item) => item.type === "function" || item.type === "error");
const BY_SELECTOR = Map.groupBy(ITEMS, (item): string => toFunctionSelector(formatAbiItem(item)));

/** Decodes a call, or the error of a call, to its values by their names. Returns undefined if no ABI has it. */
export function decodeData(data: string) {
  const [item] = BY_SELECTOR.get(data.slice(0, 10)) ?? [];
  if (item === undefined) return undefined;
  try {
    const values = decodeAbiParameters(item.inputs, `0x${data.slice(10)}`);
    return { name: item.name, values: Object.fromEntries(item.inputs.map(({ name }, index) => [name, values[index]])) };
  } catch {
    // Anyone can send a known selector with other data.
    return undefined;
  }
}

/** Decodes an event to its values by their names. Returns undefined if no ABI has it. */
export function decodeEvent({ topics, data }: Log) {
  try {
    const { eventName: name = "", args } = decodeEventLog({ abi: ABI, topics, data });
    return { name, values: { ...args } as Readonly<Record<string, unknown>> };
  } catch {
    // Any contract can emit a known topic with other data.
    return undefined;
  }
}
