import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Project, Service } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";

/** What every tab of a project gets. */
export interface TabProps {
  readonly project: Project;
}

export interface ServiceActionProps {
  readonly service: Service;
  readonly started: (operationId: string | undefined) => void;
}

export const SMALL = { size: "compact-sm", variant: "light" } as const;
export const SMALL_RED = { ...SMALL, color: "red" } as const;

/** A part of a tab: its title, what it is for, its actions, and its content. */
export function Section(props: {
  readonly title?: string;
  readonly intro: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div style={{ maxWidth: "40rem", minWidth: 0 }}>
          {props.title !== undefined && (
            <Title order={2} size="h4">
              {props.title}
            </Title>
          )}
          <Text size="sm" c="dimmed">
            {props.intro}
          </Text>
        </div>
        <div style={{ flexShrink: 0 }}>{props.actions}</div>
      </Group>
      {props.children}
    </Stack>
  );
}

/** The providers of the catalog. */
export function useCatalog(query: { readonly provider?: string; readonly q?: string } = {}) {
  return hooks.useQuery(
    "get",
    "/projects/catalog",
    { params: { query: { ...query, limit: 100 } } },
    { placeholderData: (former) => former },
  );
}

/** The texts of the invalid fields of a failed call, by their names. */
export function invalidFields(error: unknown): Readonly<Record<string, string>> {
  return error instanceof RequestError ? error.fields : {};
}
