import { ActionIcon, Autocomplete, Button, Group, Select, TagsInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { InvalidField, PolicyConditionsInput } from "../api/api-types.ts";
import { formatName } from "../ui/format.ts";
import { errorAt } from "./content.ts";

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
export function Conditions({ when, pointer, errors, change }: ConditionsProps) {
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
        data={Object.entries(OPERATORS[fact] ?? TEXT).map(([each, label]) => ({ value: each, label }))}
        onChange={(next) => change(rowOf(fact, next ?? operator, value))}
      />
      {Array.isArray(value) && <TagsInput {...field} value={value} />}
      {!Array.isArray(value) && value !== undefined && <Autocomplete {...field} value={String(value)} />}
      <RemoveIcon what="the condition" remove={remove} />
    </Group>
  );
}

export function RemoveIcon({ what, remove }: { readonly what: string; readonly remove: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${what}`} onClick={remove}>
      <IconTrash size={16} />
    </ActionIcon>
  );
}
