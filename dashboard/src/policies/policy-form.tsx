import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  MultiSelect,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import { WINDOWS } from "../agents/agent-budgets.tsx";
import type {
  InvalidField,
  Policy,
  PolicyApprovalsInput,
  PolicyConditionsInput,
  PolicyRuleInput,
} from "../api/api-types.ts";
import { formatName } from "../ui/format.ts";
import { ObjectSelect } from "../ui/forms/fields.tsx";
import { IconTrash } from "../ui/icons/icons.ts";
import { optionsOf, useAgents } from "../ui/names.tsx";

interface PolicyFormProps {
  readonly content: PolicyContent;
  readonly errors: readonly InvalidField[];
  readonly change: (content: PolicyContent) => void;
}

/** The form side of a policy. Each change writes the JSON side. Wallets and projects are on the JSON side only. */
export function PolicyForm({ content, errors, change }: PolicyFormProps) {
  const { rules, applies_to, approvals } = content;
  const { threshold_usd: threshold, ...rest } = approvals;
  const set = (changed: Partial<PolicyContent>) => change({ ...content, ...changed });
  const setThreshold = (value: string) => set({ approvals: value === "" ? rest : { ...rest, threshold_usd: value } });
  const add = () => {
    let number = 1;
    while (rules.some(({ id }) => id === `rule_${number}`)) number += 1;
    set({ rules: [...rules, { id: `rule_${number}`, effect: "require_approval", operation: "payment" }] });
  };
  return (
    <Stack>
      <TextInput
        label="Name"
        value={String(content.name ?? "")}
        error={errorAt(errors, "/name")}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <ObjectSelect
        {...{ input: MultiSelect, label: "Agents", data: useAgents(), value: applies_to.agent_ids ?? [] }}
        {...{ error: errorAt(errors, "/applies_to") }}
        {...{ onChange: (agent_ids: string[]) => set({ applies_to: { ...applies_to, agent_ids } }) }}
      />
      <TextInput
        {...{ label: "Ask a person above (USD)", placeholder: "Never", value: String(threshold ?? "") }}
        error={errorAt(errors, "/approvals")}
        onChange={({ currentTarget }) => setThreshold(currentTarget.value)}
      />
      {rules.map((rule, index) => (
        <RuleForm
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule's id changes while it is typed.
          key={index}
          {...{ rule, pointer: `/rules/${index}`, errors }}
          change={(next) => set({ rules: rules.with(index, next) })}
          remove={() => set({ rules: rules.toSpliced(index, 1) })}
        />
      ))}
      <Button {...{ size: "xs", variant: "light", mr: "auto" }} onClick={add}>
        Add a rule
      </Button>
      <Text size="xs" c="dimmed">
        What no rule allows is refused.
      </Text>
    </Stack>
  );
}

const EFFECTS = { allow: "Allow", deny: "Refuse", limit: "Limit", require_approval: "Ask a person" };

export const OPERATIONS: Readonly<Record<Exclude<PolicyRuleInput["operation"], "*" | undefined>, string>> = {
  payment: "Payment",
  x402: "x402 payment",
  mpp: "MPP payment",
  contract_call: "Contract call",
  "service.add": "Add a service",
  "service.upgrade": "Change a service's plan",
  "env.pull": "Pull an environment",
  on_ramp: "On-ramp",
  off_ramp: "Off-ramp",
  "wallet.create": "Create a wallet",
};

interface RuleFormProps {
  readonly rule: PolicyRuleInput;
  /** Where the rule is in the policy: `/rules/0`. */
  readonly pointer: string;
  readonly errors: readonly InvalidField[];
  readonly change: (rule: PolicyRuleInput) => void;
  readonly remove: () => void;
}

function RuleForm({ rule, pointer, errors, change, remove }: RuleFormProps) {
  const error = (field: string) => errorAt(errors, `${pointer}/${field}`);
  const own = errors.some((each) => each.pointer.endsWith(pointer)) && errorAt(errors, pointer);
  const operations = { "*": "Every operation", ...OPERATIONS };
  return (
    <Paper withBorder p="sm" component="section" aria-label={`Rule ${rule.id}`}>
      <Stack gap="xs">
        <Group wrap="nowrap" align="end">
          <TextInput
            {...{ label: "Rule", size: "xs", flex: 1, value: String(rule.id), error: error("id") ?? own }}
            onChange={({ currentTarget }) => change({ ...rule, id: currentTarget.value })}
          />
          <RemoveIcon what={rule.id} remove={remove} />
        </Group>
        <SimpleGrid cols={2} spacing="xs">
          <Choice
            {...{ label: "Effect", choices: EFFECTS, value: rule.effect }}
            change={(effect) => change(withEffect(rule, effect))}
          />
          <Choice
            {...{ label: "Operation", choices: operations, value: rule.operation ?? "*" }}
            change={(operation) => change({ ...rule, operation })}
          />
        </SimpleGrid>
        {rule.effect === "limit" && <Limit {...{ rule, change, error: error("budget") ?? error("count") }} />}
        <Conditions
          {...{ when: rule.when ?? {}, pointer: `${pointer}/when`, errors }}
          change={(when) => change({ ...rule, when })}
        />
      </Stack>
    </Paper>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly choices: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly change: (value: Value) => void;
}

function Choice<Value extends string>({ choices, change, ...props }: ChoiceProps<Value>) {
  const data = optionsOf(choices);
  const set = (value: string | null) => value !== null && change(value as Value);
  return <Select {...{ size: "xs", allowDeselect: false, data, onChange: set }} {...props} />;
}

function withEffect({ budget, count, shared, ...rule }: PolicyRuleInput, effect: PolicyRuleInput["effect"]) {
  const limit = { budget: { max: "10.00", period: "rolling_24h" as const } };
  return { ...rule, effect, ...(effect === "limit" && limit) };
}

/** The largest amount, or the largest number of operations, in a period. */
function Limit({
  rule,
  error,
  change,
}: Pick<RuleFormProps, "rule" | "change"> & { readonly error: string | undefined }) {
  const kind = rule.count === undefined ? "budget" : "count";
  const { max = "", period = "rolling_24h" } = rule[kind] ?? {};
  // A count of each operation, or a maximum that is no number, is for the server to refuse.
  const set = (next: { readonly max?: string | number; readonly period?: string }) =>
    change({ ...rule, [kind]: { ...rule[kind], ...next } });
  const setKind = (to: typeof kind) =>
    change({ ...rule, budget: undefined, count: undefined, [to]: { max: to === "count" ? 10 : "10.00", period } });
  const setMax = (text: string) => set({ max: kind === "count" && /^\d+$/.test(text) ? Number(text) : text });
  const kinds = { budget: "Amount in USD", count: "Operations" };
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
        <Choice {...{ label: "Limits", choices: kinds, value: kind, change: setKind }} />
        <TextInput
          {...{ label: "At most", size: "xs", value: String(max), error }}
          onChange={({ currentTarget }) => setMax(currentTarget.value)}
        />
        <Choice label="Period" choices={WINDOWS} value={period} change={(next) => set({ period: next })} />
      </SimpleGrid>
      <Switch
        {...{ size: "xs", label: "Count all agents of the policy together", checked: rule.shared ?? false }}
        onChange={({ currentTarget }) => change({ ...rule, shared: currentTarget.checked })}
      />
    </>
  );
}

const AMOUNT = { gt: "is more than", gte: "is at least", lt: "is less than", lte: "is at most", eq: "is" };
const TEXT = { eq: "is", in: "is one of", not_in: "is none of" };
const TEXT_FACTS = ["payee", "network", "token", "provider", "service", "category", "plan", "kya_level"];

/** What rules can compare, and how. The operators of `payee_first_seen` are its values. */
const OPERATORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  amount_usd: AMOUNT,
  ...Object.fromEntries(TEXT_FACTS.map((fact) => [fact, TEXT])),
  payee_first_seen: { true: "yes", false: "no" },
  monthly_cost_usd: AMOUNT,
  time_utc: { inside: "is inside", outside: "is outside" },
};
const FACTS = Object.keys(OPERATORS);

type Row = readonly [fact: string, operator: string, value?: unknown];

function rowsOf(when: PolicyConditionsInput): readonly Row[] {
  return Object.entries(when).flatMap(([fact, condition]): Row[] =>
    typeof condition === "object" && condition !== null
      ? Object.entries(condition).map(([operator, value]) => [fact, operator, value])
      : [[fact, String(condition)]],
  );
}

function conditionsOf(rows: readonly Row[]): PolicyConditionsInput {
  const when: Record<string, unknown> = {};
  for (const [fact, operator, value] of rows) {
    when[fact] = value === undefined ? operator === "true" : { ...(when[fact] ?? {}), [operator]: value };
  }
  return when;
}

/** Returns a row with the operator, and the value if that can have it. */
function rowOf(fact: string, operator: string, value?: unknown): Row {
  if (fact === "payee_first_seen") return [fact, operator];
  const isList = operator === "in" || operator === "not_in";
  if (isList) return [fact, operator, Array.isArray(value) ? value : []];
  return [fact, operator, typeof value === "string" ? value : ""];
}

interface ConditionsProps {
  readonly when: PolicyConditionsInput;
  readonly pointer: string;
  readonly errors: readonly InvalidField[];
  readonly change: (when: PolicyConditionsInput | undefined) => void;
}

/** What must hold so that a rule matches. */
function Conditions({ when, pointer, errors, change }: ConditionsProps) {
  const rows = rowsOf(when);
  const save = (next: readonly Row[]) => change(next.length === 0 ? undefined : conditionsOf(next));
  const unused = FACTS.find((fact) => !(fact in when));
  const firstOf = (fact: string) => rowOf(fact, Object.keys(OPERATORS[fact] ?? TEXT)[0] ?? "eq");
  return (
    <>
      {rows.map((row, index) => (
        <Condition
          key={row.slice(0, 2).join()}
          row={row}
          error={errorAt(errors, `${pointer}/${row[0]}/${row[1]}`) ?? errorAt(errors, `${pointer}/${row[0]}`)}
          facts={FACTS.filter((fact) => fact === row[0] || !(fact in when))}
          change={(next) => save(rows.with(index, next[0] === row[0] ? next : firstOf(next[0])))}
          remove={() => save(rows.toSpliced(index, 1))}
        />
      ))}
      {unused !== undefined && (
        <Button
          {...{ size: "compact-sm", variant: "subtle", mr: "auto" }}
          onClick={() => save([...rows, firstOf(unused)])}
        >
          Add a condition
        </Button>
      )}
    </>
  );
}

interface ConditionProps {
  readonly row: Row;
  readonly error: string | undefined;
  readonly facts: readonly string[];
  readonly change: (row: Row) => void;
  readonly remove: () => void;
}

function Condition({ row: [fact, operator, value], error, facts, change, remove }: ConditionProps) {
  const common = { size: "xs", allowDeselect: false } as const;
  const field = {
    ...{ size: "xs", flex: 1, miw: 140, "aria-label": "Value", error },
    data: fact === "kya_level" ? ["none", "basic", "verified", "attested"] : [],
    placeholder: fact === "time_utc" ? "06:00-22:00" : undefined,
    onChange: (next: unknown) => change([fact, operator, next]),
  };
  return (
    <Group gap="xs" align="start">
      <Select
        {...{ ...common, "aria-label": "Fact", w: 150, value: fact }}
        data={facts.map((each) => ({ value: each, label: formatName(each).replace("usd", "(USD)") }))}
        onChange={(next) => change([next ?? fact, operator, value])}
      />
      <Select
        {...{ ...common, "aria-label": "Comparison", w: 115, value: operator }}
        data={optionsOf(OPERATORS[fact] ?? TEXT)}
        onChange={(next) => change(rowOf(fact, next ?? operator, value))}
      />
      {Array.isArray(value) && <TagsInput {...field} value={value} />}
      {!Array.isArray(value) && value !== undefined && <Autocomplete {...field} value={String(value)} />}
      <RemoveIcon what="the condition" remove={remove} />
    </Group>
  );
}

function RemoveIcon({ what, remove }: { readonly what: string; readonly remove: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${what}`} onClick={remove}>
      <IconTrash size={16} />
    </ActionIcon>
  );
}

/** What a person edits of a policy: the body of the call that saves it. */
export interface PolicyContent {
  readonly name: string;
  readonly applies_to: Policy["applies_to"];
  readonly approvals: PolicyApprovalsInput;
  readonly rules: PolicyRuleInput[];
}

/** The text of the JSON side. */
export function textOf({ name, applies_to, approvals, rules }: PolicyContent): string {
  return JSON.stringify({ name, applies_to, approvals, rules }, null, 2);
}

/** Reads the text of the JSON side. Returns a text that says why it cannot be shown as a form. */
export function parseContent(text: string): PolicyContent | string {
  try {
    const value: unknown = JSON.parse(text);
    const isShown =
      isObject(value) &&
      isObject(value.applies_to) &&
      isObject(value.approvals) &&
      Array.isArray(value.rules) &&
      value.rules.every((rule) => isObject(rule) && isObject(rule.when ?? {}));
    return isShown ? (value as unknown as PolicyContent) : "It needs applies_to, approvals, and a list of rules.";
  } catch (error) {
    return String(error);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The errors of the API below a JSON pointer, as one text for a field. */
function errorAt(errors: readonly InvalidField[], pointer: string): string | undefined {
  const found = errors.filter((error) => `${placeOf(error)}/`.startsWith(`${pointer}/`));
  return found.map(({ detail }) => detail).join("; ") || undefined;
}

/** The pointer into the policy, without the part of the request that contains it. */
export function placeOf({ pointer }: InvalidField): string {
  return pointer.replace(/^\/body/, "");
}
