import { type Address, encodeFunctionData, type Hex, isAddressEqual, keccak256, slice } from "viem";
import { entryPoint08Address } from "viem/account-abstraction";
import { agentAccountAbi } from "../abi/agent-account.ts";
import { encodeTransfer, laneOfSession, type Operation } from "../chain/agent-account.ts";
import { VALID_UNTIL, type WalletChain } from "../test-support/wallet-chain.ts";
import { type Participants, type Phase, type Step, violationsIn } from "./rules.ts";
import { traceOperation } from "./trace-operation.ts";

/** What one entity does in the validation of one operation, in the words of the table. */
export interface Row {
  readonly operation: string;
  readonly entity: string;
  readonly opcodes: string;
  readonly storage: string;
  readonly violations: readonly string[];
}

/** Traces each kind of operation of an agent's wallet. */
export async function traceAll(chain: WalletChain): Promise<Row[]> {
  const { wallet, key } = await walletWithSession(chain);
  const fresh = await chain.newWallet();
  const recipient = chain.newKey().address;
  const transfer = (epochId: bigint) => encodeTransfer(epochId, chain.token, recipient, 1n);
  const sessionTransfer = (epochId: bigint) =>
    encodeFunctionData({
      abi: agentAccountAbi,
      functionName: "executeAsSession",
      args: [epochId, key.address, 1, chain.token, recipient, 1n],
    });
  const options = { signer: key, lane: laneOfSession(key.address), session: 1 };
  const rows = async (name: string, operation: Operation) =>
    rowsOf(name, await traceOperation(chain.local.publicClient, operation));
  return [
    ...(await rows("transfer", await chain.operationOf(wallet, transfer))),
    ...(await rows("deployment and transfer", await chain.operationOf(fresh, transfer))),
    ...(await rows("transfer of a session key", await chain.operationOf(wallet, sessionTransfer, options))),
  ];
}

/** Returns the table as Markdown. */
export function traceTable(rows: readonly Row[]): string {
  return [
    "| Operation | Entity | Opcodes with a rule | Storage | Broken rules |",
    "| --- | --- | --- | --- | --- |",
    ...rows.map(
      ({ operation, entity, opcodes, storage, violations }) =>
        `| ${operation} | ${entity} | ${opcodes || "none"} | ${storage || "none"} | ${violations.join(", ") || "none"} |`,
    ),
  ].join("\n");
}

async function walletWithSession(chain: WalletChain) {
  const wallet = await chain.createWallet();
  const key = chain.newKey();
  const grant = (epochId: bigint) =>
    encodeFunctionData({
      abi: agentAccountAbi,
      functionName: "grantSession",
      args: [epochId, key.address, chain.token, 10n, 0, VALID_UNTIL],
    });
  await chain.handleOps(await chain.operationOf(wallet, grant));
  return { wallet, key };
}

function rowsOf(
  operation: string,
  { phases, participants }: { phases: readonly Phase[]; participants: Participants },
): Row[] {
  return phases.map((phase) => ({
    operation,
    entity: phase.entity,
    opcodes: counted(phase.steps.flatMap((step) => opcodeOf(step, participants) ?? [])),
    storage: counted(phase.steps.flatMap((step) => accessOf(step, phase.steps, participants) ?? [])),
    violations: violationsIn(phase, participants),
  }));
}

/** Describes an instruction that has a rule, except for accesses to storage. */
function opcodeOf({ op, target, next, slot }: Step, participants: Participants) {
  const isListedOnly = op === "KECCAK256" || op === "LOG1";
  if (isListedOnly || slot !== undefined) return undefined;
  if (op === "GAS") return `GAS before ${next}`;
  return target === undefined ? op : `${op} of ${nameOf(target, participants)}`;
}

function accessOf(step: Step, steps: readonly Step[], participants: Participants) {
  const { op, address, slot } = step;
  return slot === undefined ? undefined : `${op} of ${nameOf(address, participants)} at ${slotName(slot, steps)}`;
}

function nameOf(address: Address, participants: Participants): string {
  if (BigInt(address) <= 0xffffn) return `precompile ${BigInt(address)}`;
  if (isAddressEqual(address, entryPoint08Address)) return "the EntryPoint";
  for (const entity of ["account", "factory", "paymaster"] as const) {
    const other = participants[entity];
    if (other !== undefined && isAddressEqual(address, other)) return `the ${entity}`;
  }
  return "another contract";
}

/** Names a slot so that it does not depend on keys: a value of a mapping by the slot of the mapping. */
function slotName(slot: Hex, steps: readonly Step[]): string {
  for (const { preimage } of steps) {
    if (preimage === undefined) continue;
    const distance = BigInt(slot) - BigInt(keccak256(preimage));
    if (distance < 0n || distance > 128n) continue;
    const mapping = slice(preimage, 32);
    return `\`${short(mapping)}[…]\` + ${distance}`;
  }
  return `\`${short(slot)}\``;
}

function short(slot: Hex): string {
  const digits = slot.slice(2).padStart(64, "0");
  return `0x${digits.slice(0, 4)}…${digits.slice(-4)}`;
}

/** Joins equal descriptions, in the order of their first. */
function counted(descriptions: readonly string[]): string {
  return [...Map.groupBy(descriptions, (description) => description)]
    .map(([description, { length }]) => (length === 1 ? description : `${length} × ${description}`))
    .join(", ");
}
