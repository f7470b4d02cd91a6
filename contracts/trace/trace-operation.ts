import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Address, encodeFunctionData, type Hex, numberToHex, type PublicClient } from "viem";
import { entryPoint08Abi, entryPoint08Address, toPackedUserOperation } from "viem/account-abstraction";
import type { Operation } from "../chain/agent-account.ts";
import { type Participants, type Phase, type Step, splitPhases } from "./rules.ts";

/** As ERC-7562 requires of a staked entity, in seconds. How much it stakes is up to the network. */
const UNSTAKE_DELAY_MIN_SECONDS = 86_400;

/** Executes the operation without a transaction, and returns what its validation does. The node must be anvil. */
export async function traceOperation(
  client: PublicClient,
  operation: Operation,
): Promise<{ phases: Phase[]; participants: Participants }> {
  const { sender: account, factory, paymaster } = operation;
  const participants = {
    account,
    accountExists: (await client.getCode({ address: account })) !== undefined,
    factory,
    paymaster,
    staked: await stakedOf(client, [account, factory, paymaster]),
  };
  const from = "0x00000000000000000000000000000000b0000000";
  const data = encodeFunctionData({
    abi: entryPoint08Abi,
    functionName: "handleOps",
    args: [[toPackedUserOperation(operation)], from],
  });
  const tracer = await readFile(path.join(import.meta.dirname, "tracer.js"), "utf8");
  const steps = await client.request<DebugTraceCall>({
    method: "debug_traceCall",
    params: [{ from, to: entryPoint08Address, data, gas: numberToHex(10_000_000) }, "latest", { tracer }],
  });
  return { phases: splitPhases(steps), participants };
}

interface DebugTraceCall {
  Method: "debug_traceCall";
  Parameters: [call: { from: Address; to: Address; data: Hex; gas: Hex }, block: "latest", options: { tracer: string }];
  ReturnType: Step[];
}

async function stakedOf(client: PublicClient, entities: readonly (Address | undefined)[]) {
  const addresses = entities.filter((entity) => entity !== undefined);
  const stakes = await Promise.all(
    addresses.map(async (address) => {
      const { staked, stake, unstakeDelaySec } = await client.readContract({
        address: entryPoint08Address,
        abi: entryPoint08Abi,
        functionName: "getDepositInfo",
        args: [address],
      });
      return staked && stake > 0n && unstakeDelaySec >= UNSTAKE_DELAY_MIN_SECONDS;
    }),
  );
  return addresses.filter((_, index) => stakes[index]);
}
