import { Alert, Grid, Group, Stack, Text } from "@mantine/core";
import { hooks } from "../api/client.ts";
import { problemOfReceipt } from "../api/statements.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatAmount, formatName } from "../ui/format.ts";
import { AgentLink, ProjectLink, shorten, WalletLink } from "../ui/names.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Signature } from "../ui/signature.tsx";
import { Amount, Status, Time } from "../ui/values.tsx";
import { PaymentActions } from "./payment-actions.tsx";
import { PaymentTimeline } from "./payment-timeline.tsx";
import { Payee } from "./payments.tsx";
import type { ShownPayment } from "./shown-payment.ts";

/** The statuses that change without the user. */
const MOVING = ["queued", "signing", "submitted"];
const POLL_MS = 2_000;

export function PaymentDetail() {
  const id = useId("paymentId");
  const query = hooks.useQuery(
    "get",
    "/payments/{payment_id}",
    { params: { path: { payment_id: id } } },
    { refetchInterval: ({ state }) => MOVING.includes(state.data?.status ?? "") && POLL_MS },
  );
  const payment = query.data;
  return (
    <Page
      title={payment === undefined ? "Payment" : `Payment of ${formatAmount(payment.amount, payment.token)}`}
      back={{ label: "Payments", to: "/payments" }}
      intro={
        payment !== undefined && (
          <Group gap="xs">
            <Status status={payment.status} />
            <span>
              to <Payee to={payment.to} />
            </span>
          </Group>
        )
      }
      actions={payment && <PaymentActions payment={payment} />}
    >
      <Loaded query={query}>
        {(shown) => (
          <Grid>
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <Stack>
                <Notice payment={shown} />
                <Section title="Payment">
                  <PaymentFacts payment={shown} />
                </Section>
                <Section title="Decision">
                  <Decision payment={shown} />
                </Section>
                <Section title="Network">
                  <Network payment={shown} />
                </Section>
                <Section title="Receipt">
                  <Receipt payment={shown} />
                </Section>
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <Section title="Timeline">
                <PaymentTimeline payment={shown} />
              </Section>
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
  if (failure !== null) {
    return (
      <Alert color="red" title={formatName(failure.code)}>
        {failure.detail}
      </Alert>
    );
  }
  if (status === "requires_approval" && approval !== null) {
    return (
      <Alert color="indigo" title="Waits for a person">
        Nothing is held until then. <AppLink to={`/approvals/${approval.approval_id}`}>Decide about it</AppLink>
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
  const { token, fees, metadata, project_id, reference } = payment;
  const fee = fees.map(({ amount, sponsored }) => `${amount} ${token}${sponsored ? ", paid by Purser" : ""}`);
  const pairs = Object.entries(metadata).map(([name, value]): [string, string] => [name, value]);
  return (
    <>
      <Facts
        facts={[
          ["Amount", <Amount key="amount" amount={payment.amount} currency={token} />],
          ["Paid", <Amount key="paid" amount={payment.paid_amount} currency={token} />],
          ["Refunded", <Amount key="refunded" amount={payment.refunded_amount} currency={token} />],
          ["Fee", fee.join(", ") || "None"],
          ["Payee", <Payee key="payee" to={payment.to} />],
          [
            "Payee's address",
            <CopyText key="address" text={payment.to.address} shown={shorten(payment.to.address)} what="address" />,
          ],
          ["Agent", <AgentLink key="agent" id={payment.agent_id} />],
          ["Wallet", <WalletLink key="wallet" id={payment.wallet_id} />],
          ["Project", project_id === null ? "None" : <ProjectLink key="project" id={project_id} />],
          ["Purpose", payment.purpose ?? "None"],
          ["Reference", reference === null ? "None" : <CopyText key="ref" text={reference} what="reference" />],
          ["Created", <Time key="created" at={payment.created_at} />],
          ["Settled", <Time key="settled" at={payment.settled_at} none="Not yet" />],
          [
            "Payment id",
            <CopyText key="id" text={payment.payment_id} shown={shorten(payment.payment_id)} what="payment id" />,
          ],
        ]}
      />
      <Text size="sm" fw={600}>
        Metadata
      </Text>
      {pairs.length === 0 ? <Text size="sm">None</Text> : <Facts facts={pairs} />}
    </>
  );
}

const OUTCOMES = {
  allow: "Allowed",
  require_approval: "A person must approve",
  deny: "Refused",
} as const;

function Decision({ payment: { decision } }: PaymentProps) {
  const { outcome, policy_id, policy_version, rule_id, kya_level } = decision;
  return (
    <Facts
      facts={[
        ["Outcome", OUTCOMES[outcome]],
        ["Rule", rule_id === null ? "No rule" : <CopyText key="rule" text={rule_id} what="rule id" />],
        ["Policy", policy_id === null ? "None" : <Policy key="policy" id={policy_id} version={policy_version} />],
        ["The agent's verification", formatName(kya_level)],
      ]}
    />
  );
}

function Policy({ id, version }: { readonly id: string; readonly version: number | null }) {
  const { data } = hooks.useQuery("get", "/policies/{policy_id}", { params: { path: { policy_id: id } } });
  return (
    <>
      <AppLink to={`/policies/${id}`} size="sm">
        {data?.name ?? shorten(id)}
      </AppLink>
      {version !== null && `, version ${version}`}
    </>
  );
}

function Network({ payment: { network, onchain, mode } }: PaymentProps) {
  if (onchain === null) {
    return (
      <Text size="sm">
        {formatName(network)}.{" "}
        {mode === "test" ? "Test mode has no chain: the ledger has moved test tokens." : "It has no transaction yet."}
      </Text>
    );
  }
  const { tx_hash, user_op_hash, block_number, confirmations } = onchain;
  return (
    <Facts
      facts={[
        ["Network", formatName(network)],
        [
          "Transaction",
          tx_hash === null ? (
            "None yet"
          ) : (
            <CopyText key="tx" text={tx_hash} shown={shorten(tx_hash)} what="transaction" />
          ),
        ],
        ["Block", block_number === null ? "–" : `${block_number} (${confirmations} confirmations)`],
        [
          "User operation",
          <CopyText key="op" text={user_op_hash} shown={shorten(user_op_hash)} what="user operation" />,
        ],
      ]}
    />
  );
}

function Receipt({ payment }: PaymentProps) {
  const { receipt, payment_id } = payment;
  if (receipt === null) {
    return <Text size="sm">The payment gets a signed receipt when the payee has been paid.</Text>;
  }
  return (
    <Signature
      what="receipt"
      signed={receipt}
      problemOf={() => problemOfReceipt(payment)}
      file={{ name: `${payment_id}.json`, content: payment }}
      verify="verifyPaymentReceipt"
    />
  );
}
