import { Stack, Text } from "@mantine/core";
import type { Event, LimitDecision, Problem } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatAmount, formatName, shorten } from "../ui/format.ts";
import { type Column, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { AgentLink, ProjectLink } from "../ui/names.tsx";
import { Empty } from "../ui/page.tsx";
import { Dimmed } from "../ui/values.tsx";

/** The object of the event `payment.denied`, if the request made no payment. */
interface Refusal extends Pick<Problem, "code" | "decision"> {
  readonly agent_id: string;
  readonly project_id: string | null;
  readonly amount: string;
  readonly token: string;
  readonly to: { readonly value: string };
}

/** The requests to pay that were refused before a payment was made, with the rule or the limit that refused each. */
export function RefusedPayments() {
  const params = { query: { type: "payment.denied", limit: 50 } } as const;
  const query = hooks.useInfiniteQuery("get", "/events", { params }, PAGED);
  return (
    <ListTable
      label="Refused payments"
      // A payment that a person denied is about the payment, and in the other list.
      list={pagedRows(query, ({ subject }) => subject.type === "agent")}
      rowKey={({ id }) => id}
      columns={COLUMNS}
      empty={
        <Empty title="No refused payment in the last 30 days">
          <Text size="sm">When a policy, a cap or the balance refuses a payment, this page says which, and why.</Text>
        </Empty>
      }
    />
  );
}

const refusalOf = ({ data }: Event) => data.object as unknown as Refusal;

const COLUMNS: readonly Column<Event>[] = [
  textColumn("Amount", (event) => formatAmount(refusalOf(event).amount, refusalOf(event).token)),
  textColumn("Payee", (event) => refusalOf(event).to.value, { show: (event) => shorten(refusalOf(event).to.value) }),
  textColumn("Why", (event) => reasonOf(refusalOf(event)), {
    show: (event) => (
      <Stack gap={0} maw={480}>
        <Text size="sm">{reasonOf(refusalOf(event))}</Text>
        <Dimmed>{refusalOf(event).code}</Dimmed>
      </Stack>
    ),
  }),
  textColumn("Agent", (event) => refusalOf(event).agent_id, {
    show: (event) => <AgentLink id={refusalOf(event).agent_id} />,
  }),
  textColumn("Project", (event) => refusalOf(event).project_id, {
    ...MINOR,
    show: (event) => {
      const { project_id: project } = refusalOf(event);
      return project === null ? "–" : <ProjectLink id={project} />;
    },
  }),
  timeColumn("Time", ({ occurred_at }) => occurred_at),
];

/** Returns the numbers of the decision in words: `The rule daily-limit allows 100.00. 95.00 are used, 5.00 are left`. */
function reasonOf({ code, decision }: Refusal): string {
  if (decision === null || decision === undefined) return formatName(code);
  if ("available" in decision) return `${decision.required} are needed, and ${decision.available} are available`;
  if ("gate" in decision)
    return `The agent's verification is ${decision.actual_level}, and must be ${decision.required_level}`;
  if (!("limit" in decision)) return `The rule ${decision.rule_id} refuses it`;
  const { rule_id, limit, used, remaining }: LimitDecision = decision;
  return `The rule ${rule_id} allows ${limit}. ${used} are used, and ${remaining} are left`;
}
