import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A part of a screen with a heading of its own, in a box. */
export function Section({
  title,
  intro,
  actions,
  children,
}: {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack>
        <Group justify="space-between" align="start">
          <div style={{ flex: "1 1 16rem", minWidth: 0 }}>
            <Title order={2} size="h4">
              {title}
            </Title>
            {intro !== undefined && (
              <Text c="dimmed" size="sm" component="div">
                {intro}
              </Text>
            )}
          </div>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
