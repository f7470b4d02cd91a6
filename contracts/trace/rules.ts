import { type Address, type Hex, isAddressEqual, keccak256, slice } from "viem";
import { entryPoint08Address } from "viem/account-abstraction";

/** An instruction that `tracer.js` has listed, in the order of execution. */
export interface Step {
  /** The name of the instruction, or `exit` at the end of a call that failed. */
  readonly op: string;
  readonly depth: number;
  /** The contract whose storage the code uses. */
  readonly address: Address;
  /** Of an access to storage. */
  readonly slot?: Hex;
  /** Of a call, or of an access to code. */
  readonly target?: Address;
  readonly targetHasCode?: boolean;
  readonly hasValue?: boolean;
  /** The first four bytes of a call's input, or fewer. */
  readonly selector?: Hex;
  /** The two words of a hash. */
  readonly preimage?: Hex;
  /** Of an event with one topic. */
  readonly topic?: Hex;
  readonly next?: string;
  /** Why the call failed. */
  readonly error?: string;
  /** Why the tracer could not read the instruction. */
  readonly tracerError?: string;
}

export type Entity = "factory" | "account" | "paymaster";

/** What one entity executes during validation. */
export interface Phase {
  readonly entity: Entity;
  readonly steps: readonly Step[];
}

/** What the rules need to know of an operation. */
export interface Participants {
  readonly account: Address;
  /** Whether the account was deployed before the operation. */
  readonly accountExists: boolean;
  readonly factory?: Address | undefined;
  readonly paymaster?: Address | undefined;
  /** Which of them have a stake at the EntryPoint. */
  readonly staked: readonly Address[];
}

/** A rule of ERC-7562 and the instruction that breaks it, for example `OP-011 TIMESTAMP`. */
export type Violation = string;

/** How the EntryPoint 0.8 calls each entity: `createSender`, `validateUserOp` and `validatePaymasterUserOp`. */
const PHASES: Readonly<Record<Hex, { readonly entity: Entity; readonly depth: number }>> = {
  // The EntryPoint calls its own helper, which calls the factory.
  "0x570e1a36": { entity: "factory", depth: 3 },
  "0x19822f7c": { entity: "account", depth: 2 },
  "0x52b7512c": { entity: "paymaster", depth: 2 },
};

/** keccak256("BeforeExecution()"). The EntryPoint emits it between validation and execution. */
const BEFORE_EXECUTION = "0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972";

const DEPOSIT_TO_SELECTOR = "0xb760faf9";
const ENVIRONMENT = [
  ...["ORIGIN", "GASPRICE", "BLOCKHASH", "COINBASE", "TIMESTAMP", "NUMBER", "DIFFICULTY"],
  ...["PREVRANDAO", "GASLIMIT", "BASEFEE", "CREATE", "INVALID", "SELFDESTRUCT"],
];

const BALANCES = ["BALANCE", "SELFBALANCE"];
const ENTITIES: readonly Entity[] = ["factory", "account", "paymaster"];

/** 1 to 9, and the verification of P-256 signatures of RIP-7212. */
const PRECOMPILES = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 0x100n];
const LAST_PRECOMPILE = 0xffffn;

/** How far a struct in a mapping may reach from its slot. */
const ASSOCIATED_SLOTS = 128n;

/**
 * Splits the trace of `handleOps` with one operation. Throws if the EntryPoint refused the operation, or if the tracer
 * failed.
 */
export function splitPhases(steps: readonly Step[]): Phase[] {
  requireReadable(steps);
  const end = steps.findIndex(({ depth, topic }) => depth === 1 && topic === BEFORE_EXECUTION);
  if (end < 0) throw new Error("The EntryPoint refused the operation in validation.");
  const phases: { entity: Entity; depth: number; steps: Step[] }[] = [];
  for (const step of steps.slice(0, end)) {
    const starts = step.depth === 1 ? PHASES[step.selector ?? "0x"] : undefined;
    if (starts !== undefined) phases.push({ ...starts, steps: [] });
    const phase = phases.at(-1);
    if (phase !== undefined && step.depth >= phase.depth) phase.steps.push(step);
  }
  return phases;
}

function requireReadable(steps: readonly Step[]): void {
  const failed = steps.find(({ tracerError }) => tracerError !== undefined);
  if (failed !== undefined) throw new Error(`The tracer failed: ${JSON.stringify(failed)}`);
}

/** Returns what the phase does against ERC-7562, each once, in the order of execution. */
export function violationsIn({ entity, steps }: Phase, participants: Participants): Violation[] {
  const judge = { entity, participants, hashes: mappingHashes(steps) };
  const violations = steps
    // The EntryPoint's own code is trusted. The rules limit who calls it.
    .filter(({ address }) => !isAddressEqual(address, entryPoint08Address))
    .flatMap((step) => violationOf(step, judge) ?? []);
  const creations = steps.filter(({ op }) => op === "CREATE2").length;
  // The EntryPoint requires that the factory has deployed the account, so a single CREATE2 has done it.
  if (creations > (entity === "factory" ? 1 : 0)) violations.push("OP-031 CREATE2");
  return [...new Set(violations)];
}

/** A phase, and what is known of its operation. */
interface Judge {
  readonly entity: Entity;
  readonly participants: Participants;
  readonly hashes: readonly MappingHash[];
}

interface MappingHash {
  readonly key: bigint;
  readonly slot: bigint;
}

function mappingHashes(steps: readonly Step[]): MappingHash[] {
  return steps.flatMap(({ preimage }) =>
    preimage === undefined ? [] : [{ key: BigInt(slice(preimage, 0, 32)), slot: BigInt(keccak256(preimage)) }],
  );
}

function violationOf(step: Step, judge: Judge): Violation | undefined {
  if (step.target !== undefined) return violationOfTarget(step, step.target, judge);
  if (step.slot !== undefined) return violationOfSlot(step, BigInt(step.slot), judge);
  return violationOfOpcode(step, judge);
}

function violationOfOpcode({ op, next = "", error = "" }: Step, judge: Judge) {
  if (ENVIRONMENT.includes(op)) return `OP-011 ${op}`;
  if (op === "GAS" && !/CALL(CODE)?$/.test(next)) return "OP-012 GAS";
  if (op.includes("not defined")) return "OP-013 unassigned opcode";
  if (op === "exit" && error.includes("out of gas")) return "OP-020 out of gas";
  if (BALANCES.includes(op) && !isStaked(judge.entity, judge)) return `OP-080 ${op}`;
  return undefined;
}

function violationOfTarget(step: Step, target: Address, judge: Judge): Violation | undefined {
  const { op, hasValue, targetHasCode } = step;
  if (isAddressEqual(target, entryPoint08Address)) return violationOfEntryPoint(step, judge);
  if (hasValue) return `OP-061 ${op} with value`;
  if (BigInt(target) <= LAST_PRECOMPILE) {
    return PRECOMPILES.includes(BigInt(target)) ? undefined : `OP-062 ${op} ${target}`;
  }
  const { entity, participants } = judge;
  const deploys = entity === "factory" && isAddressEqual(target, participants.account);
  return targetHasCode || deploys ? undefined : `OP-041 ${op} without code`;
}

function violationOfEntryPoint(step: Step, { participants }: Judge): Violation | undefined {
  const { op, selector = "", next, address } = step;
  if (op === "EXTCODESIZE" && next === "ISZERO") return undefined;
  const isAccount = isEntity(address, "account", participants);
  const isFactory = isEntity(address, "factory", participants);
  const allowed = isAccount ? ["0x", DEPOSIT_TO_SELECTOR] : isFactory ? [DEPOSIT_TO_SELECTOR] : [];
  if (op === "CALL" && allowed.includes(selector)) return undefined;
  return `OP-054 ${op} of the EntryPoint`;
}

function violationOfSlot(step: Step, slot: bigint, judge: Judge): Violation | undefined {
  const { entity, participants } = judge;
  const owner = ENTITIES.find((other) => isEntity(step.address, other, participants));
  const access = step.op.endsWith("STORE") ? "write" : "read";
  if (owner === "account") return undefined;
  if (owner !== undefined && owner !== entity) return `STO-010 ${access} in another entity`;
  if (owner !== undefined) {
    return isStaked(entity, judge) ? undefined : `STO-031 ${access} without stake`;
  }
  return violationOfForeignSlot(access, slot, judge);
}

/** Judges an access to the storage of a contract that is no entity. */
function violationOfForeignSlot(access: "read" | "write", slot: bigint, judge: Judge) {
  const { entity, participants } = judge;
  if (isAssociated(slot, participants.account, judge)) {
    const isAllowed = participants.accountExists || isStaked("factory", judge);
    return isAllowed ? undefined : `STO-022 ${access} before the deployment`;
  }
  if (!isStaked(entity, judge)) return `STO-021 ${access} in another contract`;
  const isAllowed = access === "read" || isAssociated(slot, participants[entity], judge);
  return isAllowed ? undefined : `STO-033 ${access} in another contract`;
}

function isAssociated(slot: bigint, owner: Address | undefined, { hashes }: Judge): boolean {
  if (owner === undefined) return false;
  const isNear = (hash: MappingHash) => slot >= hash.slot && slot - hash.slot <= ASSOCIATED_SLOTS;
  return slot === BigInt(owner) || hashes.some((hash) => hash.key === BigInt(owner) && isNear(hash));
}

function isEntity(address: Address, entity: Entity, participants: Participants): boolean {
  const other = participants[entity];
  return other !== undefined && isAddressEqual(address, other);
}

function isStaked(entity: Entity, { participants }: Judge): boolean {
  return participants.staked.some((staked) => isEntity(staked, entity, participants));
}
