import { BUDGET_PERIODS, KYA_LEVELS, POLICY_OPERATIONS } from "../../src/foundation/vocabulary.ts";
import type { StoredFacts } from "../../src/modules/policies/rules/facts.ts";
import {
  AMOUNT_FACTS,
  type PolicyRule,
  RULE_EFFECTS,
  TEXT_FACTS,
} from "../../src/modules/policies/rules/rule-schema.ts";
import { conditionsHold, millionthsOf, type PolicyCase, type UsedOfLimit } from "./reference-policy.ts";

/** What should decide. More frequent ones are listed more often. Chance decides otherwise in a few cases. */
const GOALS = [
  ...Array<"deny">(4).fill("deny"),
  ...Array<"limit">(4).fill("limit"),
  ...Array<"default">(3).fill("default"),
  ...Array<"require_approval">(4).fill("require_approval"),
  ...Array<"allow">(5).fill("allow"),
];
type Goal = (typeof GOALS)[number];

const AMOUNT_OPERATORS = ["gt", "gte", "lt", "lte", "eq"] as const;
const LIST_OPERATORS = ["eq", "in", "not_in"] as const;

/** A fact and what it is compared with. Facts and operators are as in the API, except for times and booleans. */
const CONDITIONS = [
  ...AMOUNT_FACTS.flatMap((fact) => AMOUNT_OPERATORS.map((operator) => ({ fact, operator }))),
  ...[...TEXT_FACTS, "kya_level" as const].flatMap((fact) => LIST_OPERATORS.map((operator) => ({ fact, operator }))),
  // Listed twice, since each operator holds for one value only.
  ...(["true", "false", "true", "false"] as const).map((operator) => ({
    fact: "payee_first_seen" as const,
    operator,
  })),
  ...(["inside", "outside", "inside midnight", "outside midnight"] as const).map((operator) => ({
    fact: "time_utc" as const,
    operator,
  })),
];
type ConditionKind = (typeof CONDITIONS)[number];

/** The kinds of conditions, for example `payee not_in` and `time_utc inside midnight`. */
export const CONDITION_KINDS = new Set(CONDITIONS.map(({ fact, operator }) => `${fact} ${operator}`));

type Conditions = NonNullable<PolicyRule["when"]>;
type Operation = Pick<PolicyCase, "operation" | "at" | "facts">;

/** Texts in the form in which rules are stored. Payees that differ only by case are the same. */
const TEXTS = ["alpha", "beta", "neon", "starter", "team"];
const PAYEES = ["0xAb01", "0xaB01", "0xcd02", "api.example.com", "API.example.com", "École"];
const DIFFERENCES = [-1_000_000n, -10_000n, -1n, 0n, 0n, 0n, 1n, 10_000n, 1_000_000n];
const MINUTES_A_DAY = 1_440;
const AMOUNT_MAX = 10n ** 24n - 1n;

type Random = ReturnType<typeof randomFrom>;

/** Draws a policy, an operation and what was used before. The same seed draws the same. */
export function randomPolicyCase(seed: number): PolicyCase {
  const random = randomFrom(seed);
  const goal = random.pick(GOALS);
  const operation = randomOperation(random);
  const isGoalThreshold = goal === "require_approval" && random.chance(0.15);
  const decidingEffect = isGoalThreshold ? "allow" : goal;

  const drawn = Array.from({ length: random.below(6) }, () => {
    const effect = random.pick(RULE_EFFECTS);
    return randomRule(random, operation, effect, {
      matches: mayMatch(effect, goal) && random.chance(0.6),
      isExceeded: (goal === "deny" || goal === "limit") && random.chance(0.5),
    });
  });
  if (decidingEffect !== "default") {
    // An approved rule permits too.
    const effect = goal === "allow" && random.chance(0.25) ? "require_approval" : decidingEffect;
    const rule = randomRule(random, operation, effect, { matches: true, isExceeded: true });
    drawn.splice(random.below(drawn.length + 1), 0, { ...rule, isDeciding: true });
  }
  const rules = drawn.map(({ rule }, index) => ({ ...rule, id: `r${index}` }));

  const ids = [...rules.map(({ id }) => id), "threshold"];
  const decidingId = isGoalThreshold ? "threshold" : `r${drawn.findIndex((one) => one.isDeciding)}`;
  return {
    rules,
    approvals: randomApprovals(random, operation.facts, isGoalThreshold),
    ...operation,
    used: Object.fromEntries(drawn.flatMap(({ used }, index) => (used === undefined ? [] : [[`r${index}`, used]]))),
    satisfied: goal === "allow" ? ids : ids.filter((id) => id !== decidingId && random.chance(0.25)),
  };
}

/** Returns the kinds of conditions in a rule's `when`. */
export function conditionKindsOf(when: Conditions): string[] {
  return Object.entries(when).flatMap(([fact, condition]) => {
    if (typeof condition === "boolean") return [`${fact} ${condition}`];
    return Object.entries(condition).map(([operator, value]) => {
      const containsMidnight = fact === "time_utc" && value.slice(0, 5) > value.slice(6);
      return `${fact} ${operator}${containsMidnight ? " midnight" : ""}`;
    });
  });
}

/** Returns whether a matching rule of this effect can be in a policy that should decide by `goal`. */
function mayMatch(effect: PolicyRule["effect"], goal: Goal): boolean {
  if (effect === "limit") return true;
  if (effect === "deny") return goal === "deny";
  return goal !== "default";
}

function randomOperation(random: Random): Operation {
  const known = <Value>(value: Value) => (random.chance(0.85) ? value : undefined);
  const facts = {
    amount_usd: known(randomAmount(random)),
    monthly_cost_usd: known(randomAmount(random)),
    payee: known(random.pick(PAYEES)),
    network: known(random.pick(TEXTS)),
    token: known(random.pick(TEXTS)),
    provider: known(random.pick(TEXTS)),
    service: known(random.pick(TEXTS)),
    category: known(random.pick(TEXTS)),
    plan: known(random.pick(TEXTS)),
    kya_level: known(random.pick(KYA_LEVELS)),
    payee_first_seen: known(random.chance(0.5)),
  };
  return {
    operation: random.pick(POLICY_OPERATIONS),
    at: new Date(Date.UTC(2026, 0, 1) + random.below(365 * 86_400) * 1_000 + random.below(1_000)).toISOString(),
    // JSON omits what is undefined.
    facts: JSON.parse(JSON.stringify(facts)) as StoredFacts,
  };
}

/** Draws a rule. If it should not match, all but one of its conditions hold, or it is about another operation. */
function randomRule(
  random: Random,
  operation: Operation,
  effect: PolicyRule["effect"],
  { matches, isExceeded }: { matches: boolean; isExceeded: boolean },
) {
  const isOtherOperation = !matches && random.chance(0.2);
  const holding = Array.from({ length: random.below(9) }, () => randomCondition(random, operation, true));
  const failing = matches || isOtherOperation ? [] : [randomCondition(random, operation, false)];
  const operationOfRule = isOtherOperation
    ? random.pick(POLICY_OPERATIONS.filter((name) => name !== operation.operation))
    : random.pick(["*", undefined, operation.operation] as const);
  const when = mergeConditions([...holding, ...failing]);
  const { used, ...limit } =
    effect === "limit" ? randomLimit(random, operation.facts, isExceeded) : { used: undefined };
  const rule: Omit<PolicyRule, "id"> = {
    effect,
    ...(operationOfRule === undefined ? {} : { operation: operationOfRule }),
    ...(Object.keys(when).length === 0 && random.chance(0.5) ? {} : { when }),
    ...limit,
  };
  return { rule, used, isDeciding: false };
}

/** Draws a condition that holds, or does not hold. */
function randomCondition(random: Random, operation: Operation, holds: boolean): Conditions {
  for (;;) {
    const kind = random.pick(CONDITIONS);
    // Several attempts with each kind, so that kinds that rarely hold are not rare.
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const condition = randomConditionOf(random, kind, operation);
      if (conditionsHold(condition, operation) === holds) return condition;
    }
  }
}

function randomConditionOf(random: Random, { fact, operator }: ConditionKind, { at, facts }: Operation): Conditions {
  switch (fact) {
    case "amount_usd":
    case "monthly_cost_usd":
      return { [fact]: { [operator]: amountNear(random, facts[fact] ?? "1") } };
    case "payee_first_seen":
      return { [fact]: operator === "true" };
    case "time_utc": {
      const [side = "", midnight] = operator.split(" ");
      return { [fact]: { [side]: randomRange(random, at, midnight !== undefined) } };
    }
    case "kya_level":
      return { [fact]: { [operator]: randomTexts(random, operator, KYA_LEVELS) } };
    case "payee":
      return { [fact]: { [operator]: randomTexts(random, operator, PAYEES) } };
    default:
      return { [fact]: { [operator]: randomTexts(random, operator, TEXTS) } };
  }
}

function randomTexts(random: Random, operator: string, texts: readonly string[]) {
  if (operator === "eq") return random.pick(texts);
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(texts));
}

/** Draws a range whose ends are often close to the time. */
function randomRange(random: Random, at: string, containsMidnight: boolean): string {
  const minute = new Date(at).getUTCHours() * 60 + new Date(at).getUTCMinutes();
  const randomEnd = () => {
    const offset = random.chance(0.5) ? random.below(3) - 1 : random.below(MINUTES_A_DAY);
    const end = (minute + offset + MINUTES_A_DAY) % MINUTES_A_DAY;
    return [Math.floor(end / 60), end % 60].map((part) => String(part).padStart(2, "0")).join(":");
  };
  for (;;) {
    const [start, end] = [randomEnd(), randomEnd()];
    if (start !== end && start > end === containsMidnight) return `${start}-${end}`;
  }
}

/** Combines operators of the same fact. */
function mergeConditions(conditions: readonly Conditions[]): Conditions {
  const merged: Record<string, unknown> = {};
  for (const [fact, operators] of conditions.flatMap((condition) => Object.entries(condition))) {
    const before = merged[fact];
    merged[fact] =
      typeof before === "object" && typeof operators === "object" ? { ...before, ...operators } : operators;
  }
  return merged;
}

/**
 * Draws a limit and what is used of it. The two numbers of operations or dollars, by the agent and by all agents, are on
 * different sides of the limit, so that the wrong one would decide otherwise.
 */
function randomLimit(random: Random, facts: StoredFacts, isExceeded: boolean) {
  const isShared = random.chance(0.4);
  const { used, other, ...limit } = random.chance(0.4)
    ? randomCount(random, isExceeded)
    : randomBudget(random, facts, isExceeded);
  const usedOfLimit: UsedOfLimit = isShared
    ? { byAgent: other, byAllAgents: used }
    : { byAgent: used, byAllAgents: other };
  return {
    ...limit,
    ...(isShared ? { shared: true } : random.pick([{}, { shared: false }])),
    used: usedOfLimit,
  };
}

function randomCount(random: Random, isExceeded: boolean) {
  const max = random.below(4) + (isExceeded ? 0 : 1);
  const [enough, tooMuch] = [Math.max(0, max - 1 - random.below(2)), max + random.below(2)];
  return {
    count: { max, period: random.pick(BUDGET_PERIODS) },
    used: String(isExceeded ? tooMuch : enough),
    other: String(isExceeded ? enough : tooMuch),
  };
}

function randomBudget(random: Random, facts: StoredFacts, isExceeded: boolean) {
  const amount = millionthsOf(facts.amount_usd ?? facts.monthly_cost_usd ?? "1");
  const more = random.pick([0n, 1n, 10_000n, 1_000_000n]);
  const period = random.pick(["per_tx", "per_tx", ...BUDGET_PERIODS] as const);
  const used = BigInt(random.below(50_000_000));
  // A limit of a single operation must ignore what was used.
  const usedInPeriod = period === "per_tx" ? 0n : used;
  const max = amount + usedInPeriod + (isExceeded ? -1n - more : more);
  return {
    budget: { max: textOf(random, max), period },
    used: textOf(random, used),
    other: textOf(random, used + (isExceeded ? -1n - more : more + 1n)),
  };
}

function randomApprovals(random: Random, facts: StoredFacts, isExceeded: boolean): PolicyCase["approvals"] {
  if (!isExceeded && random.chance(0.5)) return {};
  const amount = millionthsOf(facts.amount_usd ?? facts.monthly_cost_usd ?? "1");
  const difference = isExceeded ? -1n : random.pick(DIFFERENCES);
  return { threshold_usd: textOf(random, amount + difference) };
}

function randomAmount(random: Random): string {
  const millionths = random.pick([
    () => BigInt(random.below(3)),
    () => BigInt(random.below(10_000)) * 10_000n,
    () => BigInt(random.below(1_000_000_000)),
    // More than a float represents exactly.
    () => AMOUNT_MAX - BigInt(random.below(1_000_000_000)) * 1_000_003n,
  ])();
  return textOf(random, millionths);
}

/** Draws an amount that is equal, or a little more or less. */
function amountNear(random: Random, amount: string): string {
  return textOf(random, millionthsOf(amount) + random.pick(DIFFERENCES));
}

/** Writes the amount, or the nearest one that the API accepts, with more or fewer zeros at its end. */
function textOf(random: Random, millionths: bigint): string {
  const accepted = millionths < 0n ? 0n : millionths > AMOUNT_MAX ? AMOUNT_MAX : millionths;
  const digits = String(accepted).padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  const zeros = "0".repeat(random.below(7 - fraction.length));
  const point = fraction + zeros === "" ? "" : ".";
  return digits.slice(0, -6) + point + fraction + zeros;
}

/** The generator mulberry32. Its numbers need no more quality than to be varied. */
function randomFrom(seed: number) {
  let state = seed;
  /** Returns a number from 0, less than 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  /** Returns a whole number from 0, less than `limit`. */
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (probability: number) => next() < probability,
    pick<Value>(values: readonly Value[]): Value {
      // The cast is needed since the compiler does not know that the index exists. No list here is empty.
      return values[below(values.length)] as Value;
    },
  };
}
