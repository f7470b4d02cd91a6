import { Alert, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { AuditEntry, Policy } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Dimmed } from "../ui/values.tsx";
import { textOf } from "./content.ts";
import { DiffView } from "./diff-view.tsx";

/** The versions of a policy, from its audit entries: the API returns the content of the current one only. */
export function Versions({ policy }: { readonly policy: Policy }) {
  const [change, setChange] = useState<readonly [before: Policy, after: Policy]>();
  const query = { subject_id: policy.policy_id, limit: 50 };
  const list = pagedRows(hooks.useInfiniteQuery("get", "/audit/entries", { params: { query } }, PAGED));
  const versionOf = ({ facts }: AuditEntry) => Number(facts.version);
  return (
    <Stack>
      {change !== undefined && (
        <Alert color="teal" title={`What version ${change[1].version} changed`}>
          <DiffView before={textOf(change[0])} after={textOf(change[1])} />
        </Alert>
      )}
      <ListTable
        label="Versions"
        list={{ ...list, rows: list.rows?.filter(({ facts }) => typeof facts.version === "number") }}
        rowKey={({ audit_id }) => audit_id}
        columns={[
          { title: "Version", csv: versionOf, show: versionOf },
          { title: "Change", csv: changeOf, show: changeOf },
          textColumn("By", ({ actor }: AuditEntry) => formatName(actor.type)),
          timeColumn("At", ({ occurred_at }: AuditEntry) => occurred_at),
          {
            title: "Actions",
            align: "right",
            show: (entry) => <RollBack policy={policy} version={versionOf(entry)} done={setChange} />,
          },
        ]}
        empty={<Dimmed>The audit trail has no entries of this policy.</Dimmed>}
      />
    </Stack>
  );
}

function changeOf({ facts, action }: AuditEntry): string {
  if (typeof facts.restored_version === "number") return `Rolled back to version ${facts.restored_version}`;
  if (Array.isArray(facts.fields)) return `Changed ${facts.fields.join(", ")}`;
  return formatName(action.replace("policy.", ""));
}

interface RollBackProps {
  readonly policy: Policy;
  readonly version: number;
  readonly done: (change: readonly [before: Policy, after: Policy]) => void;
}

function RollBack({ policy, version, done }: RollBackProps) {
  if (version === policy.version) return <Dimmed>Current</Dimmed>;
  const run = async () => {
    const params = { path: { policy_id: policy.policy_id } };
    const { data } = await api.POST("/policies/{policy_id}/rollback", { params, body: { version } });
    if (data !== undefined) done([policy, data]);
  };
  return (
    <ActionDialog
      title={`Roll back to version ${version}`}
      button="Roll back"
      buttonProps={{ size: "compact-sm", variant: "light" }}
      action={`Make version ${policy.version + 1}`}
      run={run}
    >
      <Text size="sm">
        The new version has the name, the rules and the agents of version {version}, and decides from the next operation
        on. You then see what it changed.
      </Text>
    </ActionDialog>
  );
}
