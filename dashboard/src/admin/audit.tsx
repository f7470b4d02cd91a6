import { Alert, Group, Stack, Text } from "@mantine/core";
import type { AdminAuditEntry, AuditAnchorState } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { idColumn, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { type Column, ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useFilters } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Dimmed, Time } from "../ui/values.tsx";
import { SearchBox } from "./filters.tsx";
import { DeveloperLink } from "./parts.tsx";

export function Audit() {
  const { values, set } = useFilters("admin_id", "developer_id");
  const query = { limit: 50, ...values };
  const pages = hooks.useInfiniteQuery("get", "/admin/audit", { params: { query } }, PAGED);
  const anchor = pages.data?.pages[0]?.anchor;
  return (
    <Page
      title="Audit trail"
      intro="What admins have done, in all accounts and in the operators' own trail, newest first. Reading is recorded too."
    >
      {anchor !== undefined && <Anchor anchor={anchor} />}
      <Group align="end">
        <SearchBox label="By admin" placeholder="adm_…" value={values.admin_id} search={(id) => set("admin_id", id)} />
        <SearchBox
          label="About developer"
          placeholder="dev_…"
          value={values.developer_id}
          search={(id) => set("developer_id", id)}
        />
      </Group>
      <ListTable
        label="Audit trail"
        list={pagedRows(pages)}
        rowKey={({ audit_id }) => audit_id}
        columns={COLUMNS}
        empty={<Empty title="No entry matches. Search for a whole id, or clear the filters." />}
      />
    </Page>
  );
}

const ANCHORS: Readonly<Record<AuditAnchorState["status"], readonly [color: string, title: string, meaning: string]>> =
  {
    anchored: [
      "teal",
      "Anchored",
      "The newest checkpoint is outside of the database, where the server cannot change it.",
    ],
    pending: ["indigo", "The newest checkpoint waits for its anchor", "This is normal for a short time."],
    late: ["orange", "The anchor is late", "Check the anchor's storage. The oldest entry waits since:"],
    mismatch: ["red", "An audit chain does not match its checkpoint", "Entries were changed or are missing. Act now."],
  };

/** Whether the audit trail is protected outside of the database. */
function Anchor({ anchor }: { readonly anchor: AuditAnchorState }) {
  const { status, latest_checkpoint, unanchored_since, mismatches } = anchor;
  const [color, title, meaning] = ANCHORS[status];
  return (
    <Alert color={color} title={title} role="status">
      <Text size="sm">
        {meaning} {status === "late" && <Time at={unanchored_since} />}
      </Text>
      {latest_checkpoint !== null && (
        <Text size="sm">
          Checkpoint {latest_checkpoint.sequence} of <Time at={latest_checkpoint.time} />, in the anchor since{" "}
          <Time at={latest_checkpoint.anchored_at} none="(not yet)" />
        </Text>
      )}
      {mismatches.map(({ tenant_id, chain, occurred_at }) => (
        <Text size="sm" key={tenant_id + chain + occurred_at}>
          {tenant_id}, chain {chain}, <Time at={occurred_at} />
        </Text>
      ))}
    </Alert>
  );
}

const COLUMNS: readonly Column<AdminAuditEntry>[] = [
  timeColumn("Time", ({ occurred_at }) => occurred_at),
  {
    title: "Action",
    csv: ({ action }) => action,
    show: ({ action, subject, admin_id }) => (
      <Stack gap={0} style={{ overflowWrap: "anywhere" }}>
        <Text size="sm" fw={600}>
          {action}
        </Text>
        {subject.id !== admin_id && <Dimmed>{`${subject.type} ${subject.id}`}</Dimmed>}
      </Stack>
    ),
  },
  idColumn("Admin", "admin id", ({ admin_id }) => admin_id),
  textColumn("Network", ({ ip }) => ip, MINOR),
  {
    title: "Developer",
    isMinor: true,
    csv: ({ developer_id }) => developer_id,
    show: ({ developer_id }) => (developer_id === null ? "–" : <DeveloperLink id={developer_id} />),
  },
  { ...textColumn("Details", ({ facts }) => textOf(facts), MINOR), csv: ({ facts }) => JSON.stringify(facts) },
];

function textOf(facts: AdminAuditEntry["facts"]): string {
  const given = Object.entries(facts).filter(([, fact]) => fact !== null);
  return given.map(([name, fact]) => `${name}: ${typeof fact === "string" ? fact : JSON.stringify(fact)}`).join(", ");
}
