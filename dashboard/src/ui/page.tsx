import { Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Snippet } from "./copy-text.tsx";
import { AppLink } from "./navigation.tsx";
import { ProblemAlert } from "./problem-alert.tsx";

interface PageProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  /** The list to which this screen belongs. */
  readonly back?: { readonly label: string; readonly to: string };
  readonly children: ReactNode;
}

/** The frame of every screen: its title, what it is for in one line, its actions, and its content. */
export function Page({ title, intro, actions, back, children }: PageProps) {
  useDocumentTitle(`${title} · Purser`);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="start">
        <div style={{ minWidth: 0 }}>
          {back !== undefined && (
            <AppLink to={back.to} size="sm">
              ← {back.label}
            </AppLink>
          )}
          <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
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
  );
}

interface LoadedProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: unknown };
  readonly children: (data: Data) => ReactNode;
  readonly lines?: number;
}

/** Shows a query's data, its error, or grey bars until it is there. */
export function Loaded<Data>({ query, children, lines = 4 }: LoadedProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null && query.error !== undefined) return <ProblemAlert error={query.error} />;
  return <Bars lines={lines} />;
}

export function Bars({ lines }: { readonly lines: number }) {
  return (
    <Stack gap="sm" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one bar is like the other.
        <Skeleton key={line} height={28} />
      ))}
    </Stack>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly text?: string;
  /** Lines of code that make the first. */
  readonly code?: string;
  readonly children?: ReactNode;
}

/** What a list shows while it is empty: what would be here, and how to make the first. */
export function Empty({ title, text, code, children }: EmptyProps) {
  return (
    <Stack gap="xs" py="xl" w="100%" maw={640} mx="auto">
      <Text fw={600} ta="center">
        {title}
      </Text>
      {text && (
        <Text size="sm" ta="center">
          {text}
        </Text>
      )}
      {code && <Snippet code={code} />}
      {children}
    </Stack>
  );
}

export type Facts = readonly (readonly [name: string, value: ReactNode])[];

/** Names and values of an object, as a description list. What has no value is left out. */
export function Facts({ facts }: { readonly facts: Facts }) {
  return (
    <dl
      style={{
        margin: 0,
        display: "grid",
        gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 15rem), 1fr))",
        gap: "1rem",
      }}
    >
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name} style={{ minWidth: 0, overflowWrap: "anywhere" }}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0}>
              {value}
            </Text>
          </div>
        ))}
    </dl>
  );
}
