import { Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { ApiKey, IssuedApiKey } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatCount, formatDuration } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { PairDialog } from "../ui/forms/once-dialog.tsx";
import { listOf } from "../ui/forms/use-submit.ts";
import { type Column, idColumn, linesColumn, MINOR, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows } from "../ui/lists/use-list.ts";
import { AgentLink, ProjectLink, useAgents, useProjects } from "../ui/names.tsx";
import { useMode } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Status } from "../ui/values.tsx";

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
    linesColumn("Name", ({ name }) => name, { below: ({ key_prefix, key_hint }) => `${key_prefix}${key_hint}` }),
    idColumn("Key id", ({ key_id }) => key_id),
    linesColumn("Status", ({ status }) => status, {
      below: remainingOf,
      top: ({ status }) => <Status status={status} />,
    }),
    {
      title: "Scopes",
      ...MINOR,
      csv: ({ scopes, agent_ids, project_ids }) => [...scopes, ...agent_ids, ...project_ids].join(" "),
      show: (key) => <Rights apiKey={key} />,
    },
    timeColumn("Last used", ({ last_used_at }) => last_used_at, MINOR, "Never"),
    timeColumn("Created", ({ created_at }) => created_at),
    { title: "Actions", align: "right", show: (key) => <KeyActions apiKey={key} created={created} /> },
  ];
}

/** What a key may do, and the agents and projects that it is bound to. */
function Rights({ apiKey: { scopes, agent_ids, project_ids } }: { readonly apiKey: ApiKey }) {
  return (
    <Stack gap={0} align="start">
      <details>
        <summary>{formatCount(scopes.length, "scope")}</summary>
        {scopes.map((scope) => (
          <div key={scope}>{scope}</div>
        ))}
      </details>
      {agent_ids.map((id) => (
        <AgentLink key={id} id={id} />
      ))}
      {project_ids.map((id) => (
        <ProjectLink key={id} id={id} />
      ))}
    </Stack>
  );
}

/** A replaced key shows how long it still works. */
function remainingOf({ status, grace_expires_at, expires_at }: ApiKey): string | null {
  const until = status === "rotating" ? grace_expires_at : status === "active" ? expires_at : null;
  return until && `works for ${formatDuration(Date.parse(until) - Date.now())} more`;
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

export type Scope = ApiKey["scopes"][number];

/** What each scope allows, in the order of the API's documents. */
const MEANINGS: Readonly<Record<Scope, string>> = {
  "projects:read": "See projects, services, links and charges",
  "projects:write": "Create, change and delete projects; link providers; cards; variables",
  "services:write": "Add, rotate, upgrade and remove services",
  "env:read": "Pull the environment of projects, with its secrets",
  "wallets:read": "See wallets, balances and activity",
  "wallets:write": "Create and change wallets; fund them in test mode",
  "wallets:freeze": "Freeze and unfreeze wallets",
  "payments:read": "See payments",
  "payments:write": "Pay, capture, void, refund and cancel",
  "fiat:read": "See bank accounts, conversions and rates",
  "fiat:write": "Link banks, convert dollars and tokens",
  "agents:read": "See agents and their budgets",
  "agents:write": "Create, change, suspend and revoke agents",
  "policies:read": "See policies, and try them",
  "policies:write": "Create and change policies",
  "approvals:read": "See approvals",
  "approvals:write": "Approve and deny. Leave this to people if you can",
  "keys:read": "See API keys and the request log",
  "keys:write": "Create, rotate and revoke API keys",
  "provider_keys:read": "See which provider keys are stored",
  "provider_keys:write": "Store and delete provider keys",
  "audit:read": "Read, export and verify the audit trail",
  "webhooks:read": "See webhook endpoints",
  "webhooks:write": "Create and change webhook endpoints",
  "events:read": "Read events",
  "kill_switch:write": "Stop everything at once",
};

export const SCOPES = Object.entries(MEANINGS).map(([value, description]) => ({ value, label: value, description }));

/** A key has all scopes but those that decide in place of people, unless it names others. */
export const DEFAULT_SCOPES = Object.keys(MEANINGS).filter(
  (scope) => scope !== "approvals:write" && scope !== "audit:read",
);
