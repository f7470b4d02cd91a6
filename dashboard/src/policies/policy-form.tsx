import { Button, MultiSelect, Stack, Text, TextInput } from "@mantine/core";
import type { InvalidField } from "../api/api-types.ts";
import { useAgents } from "../ui/names.tsx";
import { errorAt, type PolicyContent } from "./content.ts";
import { RuleForm } from "./rule-form.tsx";

/** The form side of a policy. Each change writes the JSON side. Wallets and projects are on the JSON side only. */
export function PolicyForm({
  content,
  errors,
  change,
}: {
  readonly content: PolicyContent;
  readonly errors: readonly InvalidField[];
  readonly change: (content: PolicyContent) => void;
}) {
  const { rules, applies_to, approvals } = content;
  const known = useAgents();
  const agent_ids = applies_to.agent_ids ?? [];
  const unknown = agent_ids.filter((id) => !known.some(({ value }) => value === id));
  const { threshold_usd: threshold, ...rest } = approvals;
  return (
    <Stack>
      <TextInput
        label="Name"
        value={String(content.name ?? "")}
        error={errorAt(errors, "/name")}
        onChange={({ currentTarget }) => change({ ...content, name: currentTarget.value })}
      />
      <MultiSelect
        label="Agents"
        searchable
        data={[...known, ...unknown]}
        value={agent_ids}
        error={errorAt(errors, "/applies_to")}
        onChange={(ids) => change({ ...content, applies_to: { ...applies_to, agent_ids: ids } })}
      />
      <TextInput
        label="Ask a person above (USD)"
        placeholder="Never"
        value={String(threshold ?? "")}
        error={errorAt(errors, "/approvals")}
        onChange={({ currentTarget: { value } }) =>
          change({ ...content, approvals: value === "" ? rest : { ...rest, threshold_usd: value } })
        }
      />
      {rules.map((rule, index) => (
        <RuleForm
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule's id changes while it is typed.
          key={index}
          rule={rule}
          pointer={`/rules/${index}`}
          errors={errors}
          change={(next) => change({ ...content, rules: rules.with(index, next) })}
          remove={() => change({ ...content, rules: rules.toSpliced(index, 1) })}
        />
      ))}
      <Button
        size="xs"
        variant="light"
        style={{ alignSelf: "start" }}
        onClick={() => {
          const id = `rule_${rules.length + 1}`;
          change({ ...content, rules: [...rules, { id, effect: "allow", operation: "payment" }] });
        }}
      >
        Add a rule
      </Button>
      <Text size="xs" c="dimmed">
        What no rule allows is refused.
      </Text>
    </Stack>
  );
}
