import { Alert, Stack, Text } from "@mantine/core";
import type { AdminAuditEntry, AuditAnchorState } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { type Column, idColumn, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { NameLink } from "../ui/names.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Dimmed, Time } from "../ui/values.tsx";

export function Audit() {
  const filters = useListFilters({
    admin_id: ["By admin", "text", "adm_…"],
    developer_id: ["About developer", "text", "dev_…"],
  });
  const pages = hooks.useInfiniteQuery("get", "/admin/audit", { params: { query: filters.query } }, PAGED);
  const anchor = pages.data?.pages[0]?.anchor;
  return (
    <Page
      title="Audit trail"
      intro="What admins have done, in all accounts and in the operators' own trail, newest first. Reading is recorded too."
    >
      {anchor !== undefined && <Anchor anchor={anchor} />}
      <ListTable
        label="Audit trail"
        list={pagedRows(pages)}
        rowKey={({ audit_id }) => audit_id}
        columns={COLUMNS}
        filters={filters}
        empty={<Empty title="No admin has done anything" />}
      />
    </Page>
  );
}

const ANCHORS: Readonly<Record<AuditAnchorState["status"], readonly [color: string, meaning: string]>> = {
  anchored: ["teal", "The newest checkpoint is in the anchor, outside of the database."],
  pending: ["indigo", "The newest checkpoint waits for its anchor. This is normal for a short time."],
  late: ["orange", "The anchor is late. Check its storage. The oldest entry waits since:"],
  mismatch: ["red", "An audit chain does not match its checkpoint: entries were changed or are missing. Act now."],
};

/** Whether the audit trail is protected outside of the database. */
function Anchor({ anchor }: { readonly anchor: AuditAnchorState }) {
  const { status, latest_checkpoint: latest, unanchored_since, mismatches } = anchor;
  const [color, meaning] = ANCHORS[status];
  return (
    <Alert color={color} role="status">
      {meaning} {status === "late" && <Time at={unanchored_since} />}
      {latest !== null && (
        <Text size="sm">
          Checkpoint {latest.sequence} of <Time at={latest.time} />, in the anchor since{" "}
          <Time at={latest.anchored_at} none="(not yet)" />
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
  timeColumn("Time", ({ occurred_at }) => occurred_at, {}),
  textColumn("Action", ({ action }) => action, {
    show: ({ action, subject, admin_id }) => (
      <Stack gap={0} style={{ overflowWrap: "anywhere" }}>
        <Text size="sm" fw={600}>
          {action}
        </Text>
        {subject.id !== admin_id && <Dimmed>{`${subject.type} ${subject.id}`}</Dimmed>}
      </Stack>
    ),
  }),
  idColumn("Admin", ({ admin_id }) => admin_id),
  textColumn("Network", ({ ip }) => ip, MINOR),
  textColumn("Developer", ({ developer_id: id }) => id, {
    ...MINOR,
    show: ({ developer_id: id }) => (id === null ? "–" : <NameLink to="/developers" id={id} />),
  }),
  { ...textColumn("Details", ({ facts }) => textOf(facts), MINOR), csv: ({ facts }) => JSON.stringify(facts) },
];

function textOf(facts: AdminAuditEntry["facts"]): string {
  const given = Object.entries(facts).filter(([, fact]) => fact !== null);
  return given.map(([name, fact]) => `${name}: ${typeof fact === "string" ? fact : JSON.stringify(fact)}`).join(", ");
}
