import { Button, Group, MultiSelect, Paper, Select, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core";
import { WINDOWS } from "../agents/agent-budgets.tsx";
import type { InvalidField, PolicyRuleInput } from "../api/api-types.ts";
import { ObjectSelect } from "../ui/forms/fields.tsx";
import { useAgents } from "../ui/names.tsx";
import { Conditions, RemoveIcon } from "./conditions.tsx";
import { errorAt, type PolicyContent } from "./content.ts";

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
  const add = () =>
    set({ rules: [...rules, { id: `rule_${rules.length + 1}`, effect: "allow", operation: "payment" }] });
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
  const data = Object.entries(choices).map(([value, label]) => ({ value, label: String(label) }));
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
