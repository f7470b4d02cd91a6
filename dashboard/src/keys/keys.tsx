import { Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ApiKey } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText, Snippet } from "../ui/copy-text.tsx";
import { formatDuration } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { OnceDialog } from "../ui/forms/once-dialog.tsx";
import type { Column } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows } from "../ui/lists/use-list.ts";
import { useMode } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { CreateKey } from "./create-key.tsx";
import { environmentOf, type NewPair, secretsOf } from "./key-pair.ts";

export function Keys() {
  const mode = useMode();
  const [pair, setPair] = useState<NewPair>();
  const list = allRows(hooks.useQuery("get", "/developers/me/keys"));
  const inMode = { ...list, rows: list.rows?.filter((key) => key.mode === mode) };
  return (
    <Page
      title="API keys"
      intro="A key signs the calls of your code. Its scopes say what it can do; bind it to agents or projects to narrow it."
      actions={<CreateKey created={setPair} />}
    >
      <ListTable
        label="API keys"
        list={inMode}
        rowKey={({ key_id }) => key_id}
        columns={columns(setPair)}
        empty={
          <Empty title={`No ${mode} keys yet`}>
            <Text size="sm">Create a key pair, put it into your environment, and call the API with the SDK:</Text>
            <Snippet code={FIRST_CALL} />
          </Empty>
        }
      />
      <OnceDialog
        title="Your new key pair"
        secrets={pair && secretsOf(pair)}
        environment={pair && environmentOf(pair)}
        close={() => setPair(undefined)}
      />
    </Page>
  );
}

const FIRST_CALL = `import { Purser } from "@purser/sdk";

const purser = new Purser(); // PURSER_API_KEY and PURSER_API_SECRET
console.log(await purser.developers.me());`;

function columns(created: (pair: NewPair) => void): readonly Column<ApiKey>[] {
  return [
    {
      title: "Name",
      csv: ({ name }) => name,
      show: ({ name, key_prefix, key_hint }) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Dimmed>
            {key_prefix}
            {key_hint}
          </Dimmed>
        </Stack>
      ),
    },
    {
      title: "Id",
      isMinor: true,
      csv: ({ key_id }) => key_id,
      show: ({ key_id }) => <CopyText text={key_id} what="key id" />,
    },
    { title: "Status", csv: ({ status }) => status, show: (key) => <KeyStatus apiKey={key} /> },
    {
      title: "Scopes",
      isMinor: true,
      csv: ({ scopes }) => scopes.join(" "),
      show: ({ scopes, agent_ids, project_ids }) => (
        <Text size="sm" title={scopes.join(", ")}>
          {scopes.length} scopes{agent_ids.length > 0 && `, ${agent_ids.length} agents`}
          {project_ids.length > 0 && `, ${project_ids.length} projects`}
        </Text>
      ),
    },
    {
      title: "Last used",
      isMinor: true,
      csv: ({ last_used_at }) => last_used_at,
      show: ({ last_used_at }) => <Time at={last_used_at} none="Never" />,
    },
    {
      title: "Created",
      isMinor: true,
      csv: ({ created_at }) => created_at,
      show: ({ created_at }) => <Time at={created_at} />,
    },
    { title: "Actions", align: "right", show: (key) => <KeyActions apiKey={key} created={created} /> },
  ];
}

/** A replaced key shows how long it still works. */
function KeyStatus({ apiKey: { status, grace_expires_at, expires_at } }: { readonly apiKey: ApiKey }) {
  const until = status === "rotating" ? grace_expires_at : status === "active" ? expires_at : null;
  return (
    <Stack gap={0} align="start">
      <Status status={status} />
      {until !== null && <Dimmed>works for {formatDuration(Date.parse(until) - Date.now())} more</Dimmed>}
    </Stack>
  );
}

function KeyActions({ apiKey, created }: { readonly apiKey: ApiKey; readonly created: (pair: NewPair) => void }) {
  const params = { path: { key_id: apiKey.key_id } };
  const rotate = async () => {
    const { data } = await api.POST("/developers/me/keys/{key_id}/rotate", { params, body: {} });
    if (data !== undefined) created(data);
  };
  if (apiKey.status !== "active" && apiKey.status !== "rotating") return null;
  return (
    <Group gap={4} justify="end" wrap="nowrap">
      {apiKey.status === "active" && apiKey.signature_alg === "hmac-sha256" && (
        <ActionDialog
          title={`Rotate ${apiKey.name}`}
          button="Rotate"
          buttonProps={SMALL}
          action="Rotate the key"
          run={rotate}
        >
          <Text size="sm">
            You get a new key pair. The old key works for 24 more hours, so that you can replace it without an outage.
            If someone else knows it, revoke it instead.
          </Text>
        </ActionDialog>
      )}
      <ActionDialog
        title={`Revoke ${apiKey.name}`}
        button="Revoke"
        buttonProps={{ ...SMALL, color: "red" }}
        action="Revoke the key"
        isDangerous
        typeToConfirm={apiKey.name}
        run={() => api.DELETE("/developers/me/keys/{key_id}", { params })}
      >
        <Text size="sm">The key stops working at once. This cannot be undone.</Text>
      </ActionDialog>
    </Group>
  );
}

const SMALL = { size: "compact-sm", variant: "light" } as const;
