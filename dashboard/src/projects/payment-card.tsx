import { Alert, Anchor } from "@mantine/core";
import { useRef, useState } from "react";
import type { PaymentMethod, Project } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { CardElement, type MakePaymentMethod } from "../ui/card-element.tsx";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { useFilters } from "../ui/navigation.tsx";
import { Facts } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status } from "../ui/values.tsx";
import { useWidget } from "../ui/widgets.ts";
import type { TabProps } from "./parts.tsx";

const MEANINGS: Readonly<Record<Project["billing"]["status"], string>> = {
  none: "Plans that cost money need a card.",
  requires_payment_method: "The card cannot be charged. Add another one.",
  requires_action: "The card's owner must confirm it with the bank.",
  ready: "What Purser bills is paid from this card once a month.",
  past_due: "An invoice was declined. Add another card, or the same one again, to pay it.",
};

/** The card that pays what Purser bills for this project. */
export function Card({ project }: TabProps) {
  const { status, default_payment_method: method } = project.billing;
  const [bankUrl, setBankUrl] = useState<string>();
  const hasNone = status === "requires_payment_method" && method === null;
  return (
    <Section
      title="Card"
      intro={MEANINGS[hasNone ? "none" : status]}
      actions={<AttachCard project={project} askBank={setBankUrl} />}
    >
      <SetupOutcome />
      <Facts
        facts={[
          ["Status", <Status key="status" status={status === "none" ? "no_card" : status} />],
          ["Card", method && cardText(method)],
        ]}
      />
      {bankUrl !== undefined && (
        <Alert color="orange" title="The bank asks for confirmation">
          <Anchor href={bankUrl} size="sm">
            Continue at the bank
          </Anchor>
        </Alert>
      )}
    </Section>
  );
}

function cardText({ brand, last4, type, exp_month, exp_year }: PaymentMethod): string {
  if (brand === undefined || last4 === undefined) return formatName(type);
  const expires = exp_month === undefined ? "" : `, expires ${String(exp_month).padStart(2, "0")}/${exp_year}`;
  return `${formatName(brand)} ending in ${last4}${expires}`;
}

/**
 * Attaches a payment method of the payment processor, which its own form makes. Without that form, the user enters the id of a
 * payment method. Purser never gets a card's number.
 */
function AttachCard({ project, askBank }: TabProps & { readonly askBank: (url: string | undefined) => void }) {
  const stripe = useWidget("stripe");
  const make = useRef<MakePaymentMethod>(null);
  const hasForm = stripe?.key !== undefined;
  const action = project.billing.default_payment_method === null ? "Add a card" : "Replace the card";
  return (
    <ActionDialog
      {...{ title: action, buttonProps: { variant: "default" }, action, fields: hasForm ? [] : [PAYMENT_METHOD] }}
      run={async ({ payment_method_id }) => {
        if (hasForm && make.current === null) throw new Error("The form for the card is not there yet.");
        const { origin, pathname } = window.location;
        const id = (await make.current?.()) ?? payment_method_id.trim();
        const body = { payment_method_id: id, set_default: true, return_url: `${origin}${pathname}?tab=billing` };
        const params = { path: { project_id: project.project_id } };
        const { data } = await api.POST("/projects/{project_id}/billing/payment-methods", { params, body });
        askBank(data?.setup_intent.next_action?.url);
      }}
    >
      {hasForm && <CardElement script={stripe.script} publishableKey={stripe.key ?? ""} make={make} />}
    </ActionDialog>
  );
}

const PAYMENT_METHOD = {
  ...({ name: "payment_method_id", label: "Payment method", placeholder: "pm_…" } as const),
  description:
    "This server has no form for cards. Enter the id of a payment method that was made at Stripe. Never enter a card's number here.",
  ...{ required: true, maxLength: 255 },
};

/** Shows how the bank's confirmation ended, when the browser has come back from it. */
function SetupOutcome() {
  const { redirect_status: outcome } = useFilters("redirect_status").values;
  if (outcome === undefined) return null;
  if (outcome !== "succeeded")
    return <Alert color="red">The bank has not confirmed the card. Add it again, or add another one.</Alert>;
  return <Alert color="teal">The bank has confirmed the card. Its status changes within a minute.</Alert>;
}
