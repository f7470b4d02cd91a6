import { Group, List, Paper, SimpleGrid, Text } from "@mantine/core";
import { useState } from "react";
import type { PolicyEvaluation } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { SubmitForm } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { useAgents } from "../ui/names.tsx";
import { Dimmed, Status } from "../ui/values.tsx";
import type { PolicyContent } from "./content.ts";
import { OPERATIONS } from "./policy-form.tsx";

const OPERATION_OPTIONS = Object.entries(OPERATIONS).map(([value, label]) => ({ value, label }));

const FACTS = [
  { name: "amount_usd", label: "Amount (USD)", defaultValue: "5.00" },
  { name: "payee", label: "Payee" },
  { name: "network", label: "Network" },
  { name: "token", label: "Token", defaultValue: "USDC" },
];

const ALL = {
  ...{ name: "all", label: "Ask all policies of the agent, with what it has used of their limits" },
  description: "Otherwise this policy as edited is asked, as if nothing had been used.",
};

/** Asks what would be decided about an operation, without doing it. */
export function DryRun({ content: { rules, approvals } }: { readonly content: PolicyContent }) {
  const agents = useAgents();
  const [result, setResult] = useState<PolicyEvaluation>();
  const form = useSubmit(async (fields) => {
    const agent_id = textOf(fields, "agent");
    const level = agents.find((agent) => agent.agent_id === agent_id)?.kya.level;
    const known = FACTS.flatMap(({ name }) => (textOf(fields, name) === "" ? [] : [[name, textOf(fields, name)]]));
    const { data } = await api.POST("/policies/evaluate", {
      body: {
        operation: textOf(fields, "operation") as "payment",
        facts: { ...Object.fromEntries(known), kya_level: level },
        ...(fields.has("all") ? { agent_id } : { policy: { rules, approvals } }),
      },
    });
    setResult(data);
  });
  const operation = { input: "one", data: OPERATION_OPTIONS, defaultValue: "payment" } as const;
  const agent = { input: "object", data: agents, placeholder: "Any agent" } as const;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <SubmitForm
        {...{ form, action: "Evaluate" }}
        fields={[
          { name: "operation", label: "Operation", ...operation },
          { name: "agent", label: "Agent", ...agent },
          ...FACTS,
          { ...ALL, input: "check" },
        ]}
      />
      {result !== undefined && <Result result={result} />}
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
