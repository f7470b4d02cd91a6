import { Alert, Anchor, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import type { PaymentMethod, Project } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { invalidFields } from "../ui/forms/fields.tsx";
import { useFilters, useMode } from "../ui/navigation.tsx";
import { Facts } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status } from "../ui/values.tsx";
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
  return (
    <Section title="Card" intro={MEANINGS[status]} actions={<AttachCard project={project} askBank={setBankUrl} />}>
      <SetupOutcome />
      <Facts
        facts={[
          ["Status", <Status key="status" status={status === "none" ? "no_card" : status} />],
          ["Card", method === null ? "None" : cardText(method)],
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

/** The payment processor's test cards: https://docs.stripe.com/testing. */
const TEST_CARDS = [
  { value: "pm_card_visa", label: "Visa that works" },
  { value: "pm_card_mastercard", label: "Mastercard that works" },
  { value: "pm_card_authenticationRequired", label: "Visa that asks for the bank's confirmation" },
  { value: "pm_card_chargeCustomerFail", label: "Visa whose charges are declined later" },
  { value: "pm_card_chargeDeclined", label: "Visa that is declined" },
  { value: "pm_card_chargeDeclinedExpiredCard", label: "Visa that has expired" },
];

/**
 * Attaches a payment method of the payment processor. Purser never gets a card's number: in test mode, the processor has test
 * cards with names; in live mode, its own form makes the payment method.
 */
function AttachCard({ project, askBank }: TabProps & { readonly askBank: (url: string | undefined) => void }) {
  const isTest = useMode() === "test";
  const [card, setCard] = useState(isTest ? "pm_card_visa" : "");
  const attach = async () => {
    const { origin, pathname } = window.location;
    const { data } = await api.POST("/projects/{project_id}/billing/payment-methods", {
      params: { path: { project_id: project.project_id } },
      body: { payment_method_id: card.trim(), set_default: true, return_url: `${origin}${pathname}?tab=billing` },
    });
    askBank(data?.setup_intent.next_action?.url);
  };
  const action = project.billing.default_payment_method === null ? "Add a card" : "Replace the card";
  return (
    <ActionDialog title={action} buttonProps={{ variant: "default" }} action={action} run={attach}>
      {(error) => {
        const problem = invalidFields(error)["payment_method_id"];
        return isTest ? (
          <Select
            label="Test card"
            description="Test mode has no real cards. These are the payment processor's."
            data={TEST_CARDS}
            allowDeselect={false}
            error={problem}
            value={card}
            onChange={(value) => setCard(value ?? card)}
          />
        ) : (
          <TextInput
            label="Payment method"
            description="The id that the payment processor's form has made. Never enter a card's number here."
            placeholder="pm_…"
            required
            maxLength={255}
            error={problem}
            value={card}
            onChange={({ currentTarget }) => setCard(currentTarget.value)}
          />
        );
      }}
    </ActionDialog>
  );
}

/** Shows how the bank's confirmation ended, when the browser has come back from it. */
function SetupOutcome() {
  const { redirect_status: outcome } = useFilters("redirect_status").values;
  if (outcome === undefined) return null;
  return outcome === "succeeded" ? (
    <Alert color="teal">The bank has confirmed the card. Its status changes within a minute.</Alert>
  ) : (
    <Alert color="red">The bank has not confirmed the card. Add it again, or add another one.</Alert>
  );
}
