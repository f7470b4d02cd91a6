import { Button, Group, List, Paper, Select, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { PolicyEvaluateRequest, PolicyEvaluation } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { useAgents } from "../ui/names.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Dimmed, Status } from "../ui/values.tsx";
import type { PolicyContent } from "./content.ts";
import { OPERATIONS } from "./rule-form.tsx";

type Operation = PolicyEvaluateRequest["operation"];
const FACTS = { amount_usd: "5.00", payee: "", network: "", token: "USDC" };

/** Asks what would be decided about an operation, without doing it. */
export function DryRun({ content: { rules, approvals } }: { readonly content: PolicyContent }) {
  const agents = useAgents();
  const { mutate, data, error, isPending } = hooks.useMutation("post", "/policies/evaluate");
  const form = useForm({
    initialValues: { operation: "payment" as Operation, agent: null as string | null, all: false, facts: FACTS },
  });
  const run = form.onSubmit(({ operation, agent: agentId, all, facts }) => {
    const agent = agents.find(({ agent_id }) => agent_id === agentId);
    const known = Object.entries(facts).filter(([, value]) => value !== "");
    const body = {
      operation,
      facts: { ...Object.fromEntries(known), kya_level: agent?.kya.level },
      ...(all ? { agent_id: agent?.agent_id } : { policy: { rules, approvals } }),
    };
    mutate({ body });
  });
  const { all } = form.values;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <form onSubmit={run}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label="Operation"
              allowDeselect={false}
              data={Object.entries(OPERATIONS).map(([value, label]) => ({ value, label }))}
              {...form.getInputProps("operation")}
            />
            <Select
              label="Agent"
              placeholder="Any agent"
              searchable
              clearable
              required={all}
              data={agents}
              {...form.getInputProps("agent")}
            />
            {Object.keys(FACTS).map((fact) => (
              <TextInput
                key={fact}
                label={fact === "amount_usd" ? "Amount (USD)" : formatName(fact)}
                {...form.getInputProps(`facts.${fact}`)}
              />
            ))}
          </SimpleGrid>
          <Switch
            label="Ask all policies of the agent, with what it has used of their limits"
            description={
              all ? "Unsaved changes do not count." : "Asks this policy as edited, as if nothing had been used."
            }
            {...form.getInputProps("all", { type: "checkbox" })}
          />
          <Group>
            <Button type="submit" loading={isPending}>
              Evaluate
            </Button>
          </Group>
          <ProblemAlert error={error} />
        </Stack>
      </form>
      {data !== undefined && <Result result={data} />}
    </SimpleGrid>
  );
}

const OUTCOMES = {
  allow: ["ok", "Allowed"],
  require_approval: ["requires_approval", "A person is asked"],
  deny: ["denied", "Refused"],
} as const;

function Result({ result: { outcome, rule_id, decision, policies } }: { readonly result: PolicyEvaluation }) {
  const [status, text] = OUTCOMES[outcome];
  return (
    <Paper withBorder p="md" aria-live="polite" style={{ alignSelf: "start" }}>
      <Group gap="xs">
        <Status status={status} />
        <Text fw={600}>
          {text}: {rule_id === "default" ? "no rule allows it" : `the rule ${rule_id} decides`}
        </Text>
      </Group>
      {decision !== null && "remaining" in decision && (
        <Dimmed>
          {decision.used} of {decision.limit} used, {decision.remaining} left
        </Dimmed>
      )}
      <List size="sm" mt="md" spacing={4} style={{ overflowWrap: "anywhere" }}>
        {policies.flatMap(({ policy_id, rules }) =>
          rules.map((rule) => (
            <List.Item key={policy_id + rule.rule_id}>
              <strong>{rule.rule_id}</strong> {rule.matched ? "matches" : "does not match"}: {rule.reason}
            </List.Item>
          )),
        )}
      </List>
    </Paper>
  );
}
