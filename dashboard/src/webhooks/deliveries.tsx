import { Anchor, Modal, Stack } from "@mantine/core";
import { useState } from "react";
import type { ReplayWebhookRequest, WebhookDelivery } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText, Snippet } from "../ui/copy-text.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { notifyDone, SubmitForm } from "../ui/forms/submit-form.tsx";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { type Column, MINOR, statusColumn, textColumn, timeColumn } from "../ui/lists/columns.tsx";
import { useListFilters } from "../ui/lists/filters.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { PAGED, pagedRows } from "../ui/lists/use-list.ts";
import { Facts } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Dimmed, Status, Time } from "../ui/values.tsx";

const STATUSES: readonly WebhookDelivery["status"][] = ["pending", "delivered", "failed"];
const POLLED = { ...PAGED, refetchInterval: 5_000 };
const BODY_LENGTH_MAX = 4_000;

/** What was sent to a webhook, and how it is sent again. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const [shown, setShown] = useState<WebhookDelivery>();
  const filters = useListFilters({ status: ["Status", STATUSES] });
  const params = { path: { webhook_id: webhookId }, query: filters.query };
  const form = useSubmit(async () => {
    await replay(webhookId, { event_ids: [shown?.event_id ?? ""] });
    setShown(undefined);
  });
  const close = () => {
    form.reset();
    setShown(undefined);
  };
  const replaySince = (
    <ActionDialog
      {...{ title: "Replay events", button: "Replay since…", action: "Replay the events", isSmall: true }}
      text="All events of the last 30 days since this time that the webhook wants are sent again, in their order."
      fields={[{ name: "since", label: "Since", type: "datetime-local", required: true }]}
      run={({ since }) => replay(webhookId, { since: new Date(since).toISOString() })}
    />
  );
  return (
    <Section title="Deliveries" intro="Of the last 30 days, those of the newest events first." actions={replaySince}>
      <ListTable
        label="Deliveries"
        list={pagedRows(hooks.useInfiniteQuery("get", "/webhooks/{webhook_id}/deliveries", { params }, POLLED))}
        rowKey={({ event_id }) => event_id}
        columns={columns(setShown)}
        filters={filters}
        empty={<Dimmed>Nothing was sent yet.</Dimmed>}
      />
      <Modal
        {...{ opened: shown !== undefined, onClose: close, title: shown?.event_type, size: "lg" }}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <SubmitForm {...{ form, action: "Replay this event" }}>{shown && <Delivery delivery={shown} />}</SubmitForm>
      </Modal>
    </Section>
  );
}

async function replay(webhook_id: string, body: ReplayWebhookRequest) {
  await api.POST("/webhooks/{webhook_id}/replay", { params: { path: { webhook_id } }, body });
  notifyDone("What you chose is sent again.");
}

function columns(open: (delivery: WebhookDelivery) => void): readonly Column<WebhookDelivery>[] {
  return [
    textColumn("Event", ({ event_type }) => event_type, {
      show: (delivery) => (
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => open(delivery)}>
          {delivery.event_type}
        </Anchor>
      ),
    }),
    statusColumn(),
    textColumn("Attempts", ({ attempts }) => attempts, { align: "right", isMinor: true }),
    timeColumn("Last attempt", ({ attempted_at }) => attempted_at),
    textColumn("Answer", ({ response_status, error }) => response_status ?? error, MINOR),
  ];
}

/** A delivery, and what the server answered or why it did not. */
export function Delivery({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { event_id, duration_ms, response_body, next_attempt_at } = delivery;
  return (
    <Stack role="status">
      <Facts
        facts={[
          ["Status", <Status key="status" status={delivery.status} />],
          ["Answer", delivery.response_status],
          ["Error", delivery.error],
          ["Duration", duration_ms === null ? null : `${duration_ms} ms`],
          ["Attempts", delivery.attempts],
          ["Next attempt", next_attempt_at && <Time key="next" at={next_attempt_at} />],
          ["Event", <CopyText key="event" text={event_id} what="event id" />],
        ]}
      />
      {response_body && <Snippet code={response_body.slice(0, BODY_LENGTH_MAX)} what="start of the answer" />}
    </Stack>
  );
}
