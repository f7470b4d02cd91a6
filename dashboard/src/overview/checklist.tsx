import { Group, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck, IconCircle } from "@tabler/icons-react";
import type { Checklist as ChecklistType } from "../api/api-types.ts";
import { AppLink } from "../ui/navigation.tsx";

type Step = keyof ChecklistType;

/** The first hour, in the order in which the steps build on each other. */
const STEPS: readonly (readonly [step: Step, label: string, to: string])[] = [
  ["email_verified", "Verify your email address", "/settings"],
  ["has_agent", "Create an agent", "/agents"],
  ["has_wallet", "Give it a wallet", "/wallets"],
  ["has_key", "Create a key pair for your code", "/keys"],
  ["has_payment", "Make its first payment", "/payments"],
  ["has_project", "Create a project", "/projects"],
  ["has_linked_provider", "Link a provider to it", "/projects"],
  ["has_service", "Add a service", "/projects"],
];

/** What to do first. It is gone when everything is done. */
export function Checklist({ checklist }: { readonly checklist: ChecklistType }) {
  const done = STEPS.filter(([step]) => checklist[step]).length;
  if (done === STEPS.length) return null;
  const [next] = STEPS.find(([step]) => !checklist[step]) ?? [];
  return (
    <Paper withBorder p="md" component="section" aria-label="First steps">
      <Title order={2} size="h4">
        First steps
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {done} of {STEPS.length} done
      </Text>
      <Stack gap="xs" component="ol" m={0} p={0}>
        {STEPS.map(([step, label, to]) => (
          <Group key={step} gap="xs" component="li" wrap="nowrap">
            {checklist[step] ? (
              <ThemeIcon size="sm" radius="xl" color="teal" variant="light" role="img" aria-label="Done">
                <IconCheck size={14} />
              </ThemeIcon>
            ) : (
              <ThemeIcon size="sm" radius="xl" color="gray" variant="light" role="img" aria-label="To do">
                <IconCircle size={14} />
              </ThemeIcon>
            )}
            {checklist[step] ? (
              <Text size="sm" c="dimmed">
                {label}
              </Text>
            ) : (
              <AppLink to={to} size="sm" fw={step === next ? 700 : 400}>
                {label}
              </AppLink>
            )}
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
