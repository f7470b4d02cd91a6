import { Group, Paper, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { AppLink } from "../ui/navigation.tsx";

/** A part of a screen with its own title, in a card. */
export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            {title}
          </Title>
          <Group gap="xs">{actions}</Group>
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

export function DeveloperLink({ id }: { readonly id: string }) {
  return (
    <AppLink to={`/developers/${id}`} size="sm" style={{ overflowWrap: "anywhere" }}>
      {id}
    </AppLink>
  );
}
