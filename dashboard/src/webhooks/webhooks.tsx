import { Anchor } from "@mantine/core";
import { useState } from "react";
import { EVENT_TYPE_PATTERNS, type EventTypePattern, type Webhook, type WebhookWithSecret } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatTime } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { Field } from "../ui/forms/fields.tsx";
import { OnceDialog } from "../ui/forms/once-dialog.tsx";
import { listOf } from "../ui/forms/use-submit.ts";
import { type Column, linesColumn, linkColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { useGo } from "../ui/navigation.tsx";
import { Empty, Page } from "../ui/page.tsx";
import { Dimmed, Status } from "../ui/values.tsx";

export function Webhooks() {
  const go = useGo();
  const [issued, setIssued] = useState<WebhookWithSecret>();
  const params = { query: { limit: 50 } };
  const create = (
    <ActionDialog
      {...{ title: "Create a webhook", button: "Create webhook", action: "Create the webhook", fields: fieldsOf() }}
      run={async (values) => setIssued((await api.POST("/webhooks", { body: bodyOf(values) })).data)}
    />
  );
  return (
    <Page title="Webhooks" intro="URLs of yours to which Purser sends events, signed." actions={create}>
      <ListTable
        label="Webhooks"
        list={pagedRows(hooks.useInfiniteQuery("get", "/webhooks", { params }, PAGED))}
        rowKey={({ webhook_id }) => webhook_id}
        columns={COLUMNS}
        empty={
          <Empty title="No webhooks yet" text={PURPOSE}>
            <Anchor href="/docs/jobs/webhooks" size="sm">
              How a server receives events
            </Anchor>
          </Empty>
        }
      />
      <SecretDialog issued={issued} close={() => go(`/webhooks/${issued?.webhook_id}`)} />
    </Page>
  );
}

const PURPOSE =
  "A webhook tells your server what happens: a payment confirms, a service is active, someone must approve.";

const COLUMNS: readonly Column<Webhook>[] = [
  linkColumn("URL", ({ url }) => url, {
    to: ({ webhook_id }) => `/webhooks/${webhook_id}`,
    below: ({ description }) => description,
  }),
  textColumn("Events", ({ event_types }) => event_types.join(", ")),
  linesColumn("Status", (webhook) => stateOf(webhook)[0], {
    top: (webhook) => <Status status={stateOf(webhook)[0]} />,
    below: (webhook) => stateOf(webhook)[1],
  }),
  timeColumn("Created", ({ created_at }) => created_at),
];

/** Whether events are sent, and why not. */
export function stateOf({ enabled, disabled_reason, failing_since }: Webhook): readonly [status: string, why?: string] {
  if (!enabled) return ["disabled", DISABLED[disabled_reason ?? "by_you"]];
  if (failing_since === null) return ["enabled"];
  return ["failing", `No delivery has succeeded since ${formatTime(failing_since)}.`];
}

const DISABLED = {
  by_you: "You disabled it.",
  failing: "Purser disabled it: no delivery succeeded for five days.",
  gone: "Purser disabled it: its server answered 410 (gone).",
};

type Name = "url" | "description" | "event_types";

export function fieldsOf(webhook?: Webhook): readonly Field<Name>[] {
  const url = { label: "URL", type: "url", placeholder: "https://example.com/purser", maxLength: 2_000 };
  const events = { label: "Events", description: "payment.* stands for all events of payments, * for all." };
  return [
    { name: "url", ...url, required: true, defaultValue: webhook?.url },
    { name: "description", label: "Description", maxLength: 500, defaultValue: webhook?.description },
    { name: "event_types", ...events, input: "many", data: EVENTS, defaultValue: webhook?.event_types },
  ];
}

export function bodyOf({ url, description, event_types }: Readonly<Record<Name, string>>) {
  return { url, description: description || null, event_types: listOf(event_types) as EventTypePattern[] };
}

const EVENTS = [...EVENT_TYPE_PATTERNS].sort();

interface SecretDialogProps {
  readonly issued: WebhookWithSecret | undefined;
  readonly close: () => void;
}

/** Shows a secret once, and until when the one before it is valid. */
export function SecretDialog({ issued, close }: SecretDialogProps) {
  const secrets = issued && [["Signing secret", issued.secret] as const];
  const until = issued?.previous_secret_expires_at;
  return (
    <OnceDialog {...{ title: "The secret of the webhook", secrets, close }}>
      {until && <Dimmed>{`Until ${formatTime(until)}, deliveries are also signed with the old secret.`}</Dimmed>}
    </OnceDialog>
  );
}
