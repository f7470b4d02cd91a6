import { Alert, Grid, Stack, Text, Timeline } from "@mantine/core";
import type { ReactNode } from "react";
import type { AuditEntry } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { problemOfReceipt } from "../api/statements.ts";
import { formatAmount, formatName, formatNetwork } from "../ui/format.ts";
import { metadataLines } from "../ui/forms/metadata.tsx";
import { AgentLink, Id, NameLink, ProjectLink, usePolicies, WalletLink } from "../ui/names.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Signature } from "../ui/signature.tsx";
import { Amount, Status, Time } from "../ui/values.tsx";
import { PaymentActions } from "./payment-actions.tsx";
import { amountText, Payee, type ShownPayment } from "./payments.tsx";

/** The statuses of payments that will never be paid. */
const ENDED = ["denied", "failed", "dropped", "canceled", "expired", "voided"];
/** The statuses that change without the user. */
const MOVING = ["queued", "signing", "submitted"];
const POLL_MS = 2_000;

export function PaymentDetail() {
  const params = { path: { payment_id: useId("paymentId") } };
  const query = hooks.useQuery(...(["get", "/payments/{payment_id}", { params }] as const), {
    refetchInterval: ({ state }) => MOVING.includes(state.data?.status ?? "") && POLL_MS,
  });
  const { data: payment } = query;
  return (
    <Page
      title={payment ? `Payment of ${amountText(payment)}` : "Payment"}
      back={{ label: "Payments", to: "/payments" }}
      intro={payment && <Status status={payment.status} />}
      actions={payment && <PaymentActions payment={payment} />}
    >
      <Loaded query={query}>
        {(shown) => (
          <Grid>
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <Stack>
                <Notice payment={shown} />
                <PaymentFacts payment={shown} />
                <Decision {...shown} />
                <Receipt payment={shown} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <PaymentTimeline payment={shown} />
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </Page>
  );
}

interface PaymentProps {
  readonly payment: ShownPayment;
}

/** What the payment waits for, or why it has ended. */
function Notice({ payment: { status, failure, approval, amount, token, expires_at } }: PaymentProps) {
  if (failure !== null)
    return <Alert {...{ color: "red", title: formatName(failure.code), children: failure.detail }} />;
  if (status === "requires_approval" && approval !== null) {
    return (
      <Alert color="indigo" title="Waits for a person">
        Nothing is held until then.{" "}
        <AppLink to={`/approvals/${approval.approval_id}`} underline="always">
          Decide about it
        </AppLink>
      </Alert>
    );
  }
  if (status !== "authorized") return null;
  return (
    <Alert color="indigo" title={`${formatAmount(amount, token)} are held`}>
      Capture them until <Time at={expires_at} />. After that they are released.
    </Alert>
  );
}

function PaymentFacts({ payment }: PaymentProps) {
  const { token, project_id: project, reference, to } = payment;
  const hasEnded = ENDED.includes(payment.status);
  const fees = payment.fees.map(({ amount, sponsored }) => `${amount} ${token}${sponsored ? ", paid by Purser" : ""}`);
  return (
    <Section title="Payment">
      <Facts
        facts={[
          ["Amount", <Amount key="amount" amount={payment.amount} currency={token} />],
          ["Paid", <Amount key="paid" amount={payment.paid_amount} currency={token} />],
          ["Refunded", <Amount key="refunded" amount={payment.refunded_amount} currency={token} />],
          ["Fee", !hasEnded && fees.join(", ")],
          ["Payee", <Payee key="payee" to={to} />],
          ["Payee's address", <Id key="address" text={to.address} what="address" />],
          ["Agent", <AgentLink key="agent" id={payment.agent_id} />],
          ["Wallet", <WalletLink key="wallet" id={payment.wallet_id} />],
          ["Project", project && <ProjectLink key="project" id={project} />],
          ["Purpose", payment.purpose],
          ["Reference", reference],
          ["Created", <Time key="created" at={payment.created_at} />],
          ["Settled", <Time key="settled" at={payment.settled_at} none={hasEnded ? "Never" : "Not yet"} />],
          ["Payment id", <Id key="id" text={payment.payment_id} what="payment id" />],
          ["Network", formatNetwork(payment.network)],
          ...chainFacts(payment),
          ["Metadata", metadataLines(payment.metadata)],
        ]}
      />
    </Section>
  );
}

function chainFacts({ onchain, mode }: ShownPayment): [name: string, value: ReactNode][] {
  if (onchain === null) return [["Transaction", mode === "test" ? "None. Test mode has no chain" : "None yet"]];
  const { tx_hash: hash, user_op_hash: operation, block_number: block, confirmations } = onchain;
  return [
    ["Transaction", hash === null ? "None yet" : <Id key="hash" text={hash} what="transaction" />],
    ["User operation", <Id key="operation" text={operation} what="user operation" />],
    ["Block", block === null ? "None yet" : `${block}, confirmations: ${confirmations}`],
  ];
}

const OUTCOMES = { allow: "Allowed", require_approval: "A person must approve", deny: "Refused" } as const;

/** Which rule of which policy has allowed the payment, refused it, or asked a person. */
function Decision({ decision, approval }: Pick<ShownPayment, "decision" | "approval">) {
  const { outcome, policy_id: policy, policy_version: version, rule_id, kya_level } = decision;
  const policies = usePolicies();
  const link = policy !== null && [
    <NameLink key="policy" to="/policies" id={policy} among={policies} underline="always" />,
    ` (version ${version})`,
  ];
  return (
    <Section title="Decision">
      <Facts
        facts={[
          ["Outcome", OUTCOMES[outcome]],
          ["Rule", rule_id],
          [
            "Approval",
            approval && (
              <AppLink key="approval" to={`/approvals/${approval.approval_id}`}>
                Who decided
              </AppLink>
            ),
          ],
          ["Policy", link],
          ["The agent's verification", formatName(kya_level)],
        ]}
      />
    </Section>
  );
}

function Receipt({ payment }: PaymentProps) {
  const { receipt, payment_id } = payment;
  return (
    <Section title="Receipt">
      {receipt === null ? (
        <Text size="sm">
          {ENDED.includes(payment.status)
            ? "There is none, because the payee was not paid."
            : "The payment gets a signed receipt when the payee has been paid."}
        </Text>
      ) : (
        <Signature
          {...{ what: "receipt", signed: receipt, verify: "verifyPaymentReceipt" }}
          problemOf={() => problemOfReceipt(payment)}
          file={{ name: `${payment_id}.json`, content: payment }}
        />
      )}
    </Section>
  );
}

/** The statuses that the payment has had, from the audit trail. */
function PaymentTimeline({ payment }: { payment: ShownPayment }) {
  const query = { subject_id: payment.payment_id, limit: 50 };
  return (
    <Section title="Timeline">
      <Loaded query={hooks.useQuery("get", "/audit/entries", { params: { query } })}>
        {({ data }) => (
          <Timeline active={data.length} bulletSize={14} lineWidth={2}>
            {data.toReversed().map((entry) => (
              <Timeline.Item key={entry.audit_id}>
                <Text size="sm">{formatName(entry.action.replace(/^payment\./, ""))}</Text>
                <Text size="xs" c="dimmed">
                  <Time at={entry.occurred_at} /> · by {actorOf(entry, payment)}
                </Text>
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Loaded>
    </Section>
  );
}

const ACTORS = { developer: "you", admin: "an admin", system: "Purser" };

function actorOf({ actor: { type, id } }: AuditEntry, { agent_id }: ShownPayment): string {
  return type === "agent" ? (id === agent_id ? "the agent" : "another agent") : ACTORS[type];
}
