import { Text, Timeline } from "@mantine/core";
import type { ReactNode } from "react";
import { Time } from "./values.tsx";

interface Step {
  readonly title: string;
  readonly text?: string;
  readonly at?: string;
  readonly color?: string;
  readonly bullet?: ReactNode;
}

/** What happened or happens one after the other, oldest first. */
export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <Timeline active={steps.length - 1} bulletSize={20} lineWidth={2}>
      {steps.map(({ text, at, ...item }) => (
        <Timeline.Item key={item.title + at} {...item} styles={{ itemTitle: { fontSize: "0.875rem" } }}>
          {text && <Text size="sm">{text}</Text>}
          {at && (
            <Text size="xs" c="dimmed" component="div">
              <Time at={at} />
            </Text>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
