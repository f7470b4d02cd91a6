import { Text } from "@mantine/core";
import type { Identity } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Column, MINOR, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows } from "../ui/lists/use-list.ts";
import { Empty } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";

const NAMES: Readonly<Record<Identity["provider"], string>> = { github: "GitHub", google: "Google" };

/** The accounts of other sites with which the developer can sign in. */
export function Identities() {
  const list = allRows(hooks.useQuery("get", "/developers/dashboard/identities"));
  const options = hooks.useQuery("get", "/developers/login-options");
  const names = (options.data?.identity_providers ?? []).map((provider) => NAMES[provider]);
  return (
    <Section title="Linked identities" intro="Accounts of other sites with which you can sign in.">
      <ListTable
        label="Linked identities"
        list={list}
        rowKey={({ provider }) => provider}
        columns={COLUMNS}
        empty={
          <Empty title="None linked">
            <Text size="sm">
              {names.length === 0
                ? "This server offers no sign-in with other sites."
                : `Sign out, and sign in with ${names.join(" or ")}: if it has your email address, it is linked.`}
            </Text>
          </Empty>
        }
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Identity>[] = [
  textColumn("Site", ({ provider }) => NAMES[provider]),
  textColumn("Account", ({ email }) => email),
  timeColumn("Linked", ({ linked_at }) => linked_at, MINOR),
  timeColumn("Last used", ({ last_used_at }) => last_used_at, MINOR),
  { title: "Actions", align: "right", show: (identity) => <Unlink identity={identity} /> },
];

function Unlink({ identity: { provider } }: { readonly identity: Identity }) {
  const params = { path: { provider } };
  return (
    <ActionDialog
      title={`Unlink ${NAMES[provider]}`}
      button="Unlink"
      buttonProps={{ size: "compact-sm", variant: "light", color: "red" }}
      action="Unlink"
      isDangerous
      run={(proof) => api.DELETE("/developers/dashboard/identities/{provider}", { params, body: proof })}
    >
      <Text size="sm">You can no longer sign in with {NAMES[provider]}.</Text>
    </ActionDialog>
  );
}
