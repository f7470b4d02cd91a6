import { Group, Stack, Text, ThemeIcon } from "@mantine/core";
import { IconCheck, IconCircle } from "@tabler/icons-react";
import type { Checklist as ChecklistType } from "../api/api-types.ts";
import { AppLink } from "../ui/navigation.tsx";
import { Section } from "../ui/section.tsx";

/** The first hour, in the order in which the steps build on each other. */
const STEPS: readonly (readonly [step: keyof ChecklistType, label: string, to: string])[] = [
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
export function Checklist({ checklist }: { checklist: ChecklistType }) {
  const open = STEPS.filter(([step]) => !checklist[step]).map(([step]) => step);
  if (open.length === 0) return null;
  return (
    <Section title="First steps" intro={`${STEPS.length - open.length} of ${STEPS.length} done`}>
      <Stack gap="xs" component="ol" m={0} p={0}>
        {STEPS.map(([step, label, to]) => {
          const isDone = checklist[step];
          const look = isDone ? { color: "teal", "aria-label": "Done" } : { color: "gray", "aria-label": "To do" };
          return (
            <Group key={step} gap="xs" component="li" wrap="nowrap">
              <ThemeIcon size="sm" radius="xl" variant="light" role="img" {...look}>
                {isDone ? <IconCheck size={14} /> : <IconCircle size={14} />}
              </ThemeIcon>
              {isDone ? (
                <Text size="sm" c="dimmed">
                  {label}
                </Text>
              ) : (
                <AppLink to={to} size="sm" fw={step === open[0] ? 700 : 400}>
                  {label}
                </AppLink>
              )}
            </Group>
          );
        })}
      </Stack>
    </Section>
  );
}
