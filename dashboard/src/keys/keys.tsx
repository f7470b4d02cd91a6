import { Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ApiKey, IssuedApiKey } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatCount, formatDuration } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { PairDialog } from "../ui/forms/once-dialog.tsx";
import { listOf } from "../ui/forms/use-submit.ts";
import type { Column } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows } from "../ui/lists/use-list.ts";
import { useAgents, useProjects } from "../ui/names.tsx";
import { useMode } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";
import { DEFAULT_SCOPES, SCOPES, type Scope } from "./scopes.ts";

type Pair = Pick<IssuedApiKey, "api_key" | "api_secret">;

export function Keys() {
  const mode = useMode();
  const [pair, setPair] = useState<Pair>();
  const list = allRows(hooks.useQuery("get", "/developers/me/keys"));
  return (
    <Page
      title="API keys"
      intro="A key signs the calls of your code. Its scopes say what it can do; bind it to agents or projects to narrow it."
      actions={<CreateKey created={setPair} />}
    >
      <ListTable
        label="API keys"
        list={{ ...list, rows: list.rows?.filter((key) => key.mode === mode) }}
        rowKey={({ key_id }) => key_id}
        columns={columns(setPair)}
        empty={
          <Empty
            title={`No ${mode} keys yet`}
            text="Create a key pair, put it into your environment, and call the API with the SDK:"
            code={FIRST_CALL}
          />
        }
      />
      <PairDialog title="Your new key pair" pair={pair} close={() => setPair(undefined)} />
    </Page>
  );
}

const FIRST_CALL = `import { Purser } from "@purser/sdk";

const purser = new Purser(); // PURSER_API_KEY and PURSER_API_SECRET
console.log(await purser.developers.me());`;

function columns(created: (pair: Pair) => void): readonly Column<ApiKey>[] {
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
          {formatCount(scopes.length, "scope")}
          {agent_ids.length > 0 && `, ${formatCount(agent_ids.length, "agent")}`}
          {project_ids.length > 0 && `, ${formatCount(project_ids.length, "project")}`}
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

function KeyActions({ apiKey, created }: { readonly apiKey: ApiKey; readonly created: (pair: Pair) => void }) {
  const { name, status } = apiKey;
  const params = { path: { key_id: apiKey.key_id } };
  const rotate = async () => {
    const { data } = await api.POST("/developers/me/keys/{key_id}/rotate", { params, body: {} });
    if (data !== undefined) created(data);
  };
  if (status !== "active" && status !== "rotating") return null;
  return (
    <Group gap={4} justify="end" wrap="nowrap">
      {status === "active" && apiKey.signature_alg === "hmac-sha256" && (
        <ActionDialog
          {...{ title: `Rotate ${name}`, button: "Rotate", isSmall: true, action: "Rotate the key", run: rotate }}
          text="You get a new key pair. The old key works for 24 more hours, so that you can replace it without an outage. If someone else knows it, revoke it instead."
        />
      )}
      <ActionDialog
        {...{ title: `Revoke ${name}`, button: "Revoke", isSmall: true, action: "Revoke the key", typeToConfirm: name }}
        run={() => api.DELETE("/developers/me/keys/{key_id}", { params })}
        text="The key stops working at once. This cannot be undone."
      />
    </Group>
  );
}

function CreateKey({ created }: { readonly created: (pair: Pair) => void }) {
  const mode = useMode();
  return (
    <ActionDialog
      {...{ title: `Create a ${mode} key`, button: "Create key", action: "Create key pair", size: "lg" }}
      text="Give each agent a key of its own, bound to it: it can then act as this agent only."
      fields={[
        { name: "name", label: "Name", placeholder: "Production worker", required: true, maxLength: 100 },
        { name: "agents", label: "Agents", input: "objects", data: useAgents(), placeholder: "Any agent" },
        { name: "projects", label: "Projects", input: "objects", data: useProjects(), placeholder: "Any project" },
        { name: "scopes", label: "Scopes", input: "checks", data: SCOPES, defaultValue: DEFAULT_SCOPES },
      ]}
      run={async ({ name, agents, projects, scopes }) => {
        const bindings = { agent_ids: listOf(agents), project_ids: listOf(projects) };
        const body = { name, scopes: listOf(scopes) as Scope[], ...bindings, mode };
        const { data } = await api.POST("/developers/me/keys", { body });
        if (data !== undefined) created(data);
      }}
    />
  );
}
