import { Alert } from "@mantine/core";
import { useState } from "react";
import type { Webhook, WebhookDelivery, WebhookWithSecret } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { FormSection } from "../ui/forms/submit-form.tsx";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { useGo, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";
import { Deliveries, Delivery } from "./deliveries.tsx";
import { bodyOf, fieldsOf, SecretDialog, stateOf } from "./webhooks.tsx";

/** One webhook: whether its events arrive, and what was sent. */
export function WebhookPage() {
  const path = { webhook_id: useId("webhookId") };
  const query = hooks.useQuery("get", "/webhooks/{webhook_id}", { params: { path } });
  return (
    <Page
      title={query.data?.url ?? "Webhook"}
      intro={query.data?.description}
      back={{ label: "Webhooks", to: "/webhooks" }}
      actions={query.data && <Actions webhook={query.data} />}
    >
      <Loaded query={query}>{(webhook) => <Details webhook={webhook} />}</Loaded>
    </Page>
  );
}

interface WebhookProps {
  readonly webhook: Webhook;
}

function Details({ webhook }: WebhookProps) {
  const [status, reason] = stateOf(webhook);
  return (
    <>
      <Section title="Webhook">
        {reason && <Alert color="orange">{reason}</Alert>}
        <Facts
          facts={[
            ["Status", <Status key="status" status={status} />],
            ["Id", <CopyText key="id" text={webhook.webhook_id} what="webhook id" />],
            ["Events", webhook.event_types.join(", ")],
            ["Only of the projects", webhook.project_ids.join(", ")],
            ["Only of the agents", webhook.agent_ids.join(", ")],
            ["Created", <Time key="created" at={webhook.created_at} />],
          ]}
        />
      </Section>
      <SendTest webhook={webhook} />
      <Deliveries webhookId={webhook.webhook_id} />
    </>
  );
}

function Actions({ webhook }: WebhookProps) {
  const go = useGo();
  const [issued, setIssued] = useState<WebhookWithSecret>();
  const { enabled, url } = webhook;
  const params = { path: { webhook_id: webhook.webhook_id } };
  const verb = enabled ? "Disable" : "Enable";
  const look = { buttonProps: { variant: "default" } } as const;
  return (
    <>
      <ActionDialog
        {...{ title: "Edit the webhook", button: "Edit", action: "Save", fields: fieldsOf(webhook), ...look }}
        run={(values) => api.PATCH("/webhooks/{webhook_id}", { params, body: bodyOf(values) })}
      />
      <ActionDialog
        {...{ title: `${verb} the webhook`, button: verb, action: `${verb} the webhook`, ...look }}
        run={() => api.PATCH("/webhooks/{webhook_id}", { params, body: { enabled: !enabled } })}
        text={enabled ? "What waits is given up." : "It gets the events from now on. Replay those that it has missed."}
      />
      <ActionDialog
        {...{ title: "Rotate the secret", button: "Rotate secret", action: "Rotate the secret", ...look }}
        run={async () => setIssued((await api.POST("/webhooks/{webhook_id}/rotate-secret", { params })).data)}
        text="For 24 hours, deliveries are signed with both secrets, so that you can replace the old one without an outage."
      />
      <ActionDialog
        {...{ title: "Delete the webhook", button: "Delete", action: "Delete the webhook" }}
        {...{ typeToConfirm: new URL(url).host, text: "What waits is not delivered. This cannot be undone." }}
        run={() => api.DELETE("/webhooks/{webhook_id}", { params }).then(() => go("/webhooks"))}
      />
      <SecretDialog issued={issued} close={() => setIssued(undefined)} />
    </>
  );
}

function SendTest({ webhook: { webhook_id } }: WebhookProps) {
  const [sent, setSent] = useState<WebhookDelivery>();
  const form = useSubmit(async () => {
    setSent(undefined);
    setSent((await api.POST("/webhooks/{webhook_id}/test", { params: { path: { webhook_id } } })).data);
  });
  return (
    <FormSection
      {...{ form, title: "Test", action: "Send test event" }}
      intro="Sends the event webhook.test at once, and shows what your server answered. It is not among the deliveries."
    >
      {sent && <Delivery delivery={sent} />}
    </FormSection>
  );
}
