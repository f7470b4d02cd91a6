import { ActionIcon, Group, Paper, Select, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { WINDOWS } from "../agents/agent-budgets.tsx";
import type { InvalidField, PolicyRuleInput } from "../api/api-types.ts";
import { Conditions } from "./conditions.tsx";
import { errorAt } from "./content.ts";

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

export function RuleForm({ rule, pointer, errors, change, remove }: RuleFormProps) {
  const error = (field: string) => errorAt(errors, `${pointer}/${field}`);
  return (
    <Paper withBorder p="sm" component="section" aria-label={`Rule ${rule.id}`}>
      <Stack gap="xs">
        <Group wrap="nowrap" align="end">
          <TextInput
            label="Rule"
            size="xs"
            flex={1}
            value={String(rule.id)}
            error={error("id") ?? (errors.some((each) => each.pointer.endsWith(pointer)) && errorAt(errors, pointer))}
            onChange={({ currentTarget }) => change({ ...rule, id: currentTarget.value })}
          />
          <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${rule.id}`} onClick={remove}>
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
        <SimpleGrid cols={2} spacing="xs">
          <Choice
            label="Effect"
            choices={EFFECTS}
            value={rule.effect}
            change={(effect) => change(withEffect(rule, effect))}
          />
          <Choice
            label="Operation"
            choices={{ "*": "Every operation", ...OPERATIONS }}
            value={rule.operation ?? "*"}
            change={(operation) => change({ ...rule, operation })}
          />
        </SimpleGrid>
        {rule.effect === "limit" && (
          <LimitFields rule={rule} error={error("budget") ?? error("count")} change={change} />
        )}
        <Conditions
          when={rule.when ?? {}}
          pointer={`${pointer}/when`}
          errors={errors}
          change={(when) => change({ ...rule, when })}
        />
      </Stack>
    </Paper>
  );
}

function Choice<Value extends string>({
  choices,
  change,
  ...props
}: {
  readonly label: string;
  readonly choices: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly change: (value: Value) => void;
}) {
  const data = Object.entries(choices).map(([value, label]) => ({ value, label: String(label) }));
  return (
    <Select
      size="xs"
      allowDeselect={false}
      data={data}
      onChange={(value) => value !== null && change(value as Value)}
      {...props}
    />
  );
}

function withEffect({ budget, count, shared, ...rule }: PolicyRuleInput, effect: PolicyRuleInput["effect"]) {
  return effect === "limit"
    ? { ...rule, effect, budget: { max: "10.00", period: "rolling_24h" as const } }
    : { ...rule, effect };
}

/** The largest amount, or the largest number of operations, in a period. */
function LimitFields({
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
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
        <Choice
          label="Limits"
          choices={{ budget: "Amount in USD", count: "Operations" }}
          value={kind}
          change={setKind}
        />
        <TextInput
          label="At most"
          size="xs"
          value={String(max)}
          error={error}
          onChange={({ currentTarget: { value } }) =>
            set({ max: kind === "count" && /^\d+$/.test(value) ? Number(value) : value })
          }
        />
        <Choice label="Period" choices={WINDOWS} value={period} change={(next) => set({ period: next })} />
      </SimpleGrid>
      <Switch
        size="xs"
        label="Count all agents of the policy together"
        checked={rule.shared ?? false}
        onChange={({ currentTarget }) => change({ ...rule, shared: currentTarget.checked })}
      />
    </>
  );
}
