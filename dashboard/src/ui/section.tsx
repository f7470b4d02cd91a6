import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

export interface SectionProps {
  readonly title?: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a screen, in a box if it has a heading of its own. */
export function Section({ title, intro, actions, children }: SectionProps) {
  const content = (
    <Stack>
      <Group justify="space-between" align="start">
        <div style={{ flex: "1 1 16rem", minWidth: 0 }}>
          {title && (
            <Title order={2} size="h4">
              {title}
            </Title>
          )}
          {intro && (
            <Text c="dimmed" size="sm" component="div">
              {intro}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
  if (!title) return content;
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      {content}
    </Paper>
  );
}
