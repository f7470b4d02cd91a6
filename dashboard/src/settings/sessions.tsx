import { Stack, Text } from "@mantine/core";
import type { DashboardSession } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Column, MINOR, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Dimmed } from "../ui/values.tsx";

export function Sessions() {
  const params = { query: { limit: 20 } };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/developers/dashboard/sessions", { params }, PAGED));
  return (
    <ListTable label="Sessions" list={list} rowKey={({ session_id }) => session_id} columns={COLUMNS} empty={null} />
  );
}

const COLUMNS: readonly Column<DashboardSession>[] = [
  {
    title: "Browser",
    csv: ({ user_agent }) => user_agent,
    show: ({ user_agent, ip }) => (
      <Stack gap={0}>
        <Text size="sm" title={user_agent ?? undefined}>
          {nameOf(user_agent)}
        </Text>
        <Dimmed>{ip ?? "Unknown network"}</Dimmed>
      </Stack>
    ),
  },
  timeColumn("Signed in", ({ created_at }) => created_at, MINOR),
  timeColumn("Last used", ({ last_used_at }) => last_used_at, {}),
  { title: "Actions", align: "right", show: (session) => <EndSession session={session} /> },
];

const BROWSERS = ["Edg", "OPR", "Firefox", "Chrome", "Safari"] as const;
const SYSTEMS = ["Windows", "Android", "iPhone", "iPad", "Mac OS X", "Linux"] as const;
const SHOWN: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" };

/** Returns browser and system from a User-Agent header: `Firefox on Windows`. */
function nameOf(userAgent: string | null): string {
  if (userAgent === null) return "Unknown program";
  const [browser, system] = [BROWSERS, SYSTEMS].map((names) => names.find((name) => userAgent.includes(name)));
  if (browser === undefined) return userAgent.split(/[/ ]/)[0] ?? userAgent;
  const shown = SHOWN[browser] ?? browser;
  return system === undefined ? shown : `${shown} on ${SHOWN[system] ?? system}`;
}

function EndSession({ session: { session_id, current, user_agent } }: { readonly session: DashboardSession }) {
  if (current) return <Dimmed>This session</Dimmed>;
  const params = { path: { session_id } };
  return (
    <ActionDialog
      title="End the session"
      button="End"
      buttonProps={{ size: "compact-sm", variant: "light", color: "red" }}
      action="End the session"
      isDangerous
      run={() => api.DELETE("/developers/dashboard/sessions/{session_id}", { params })}
    >
      <Text size="sm">{nameOf(user_agent)} is signed out at once.</Text>
    </ActionDialog>
  );
}
