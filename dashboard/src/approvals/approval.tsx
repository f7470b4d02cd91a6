import { Alert, Group, List, Text } from "@mantine/core";
import { useState } from "react";
import type { Approval, Payment } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatAmount, formatDuration, formatName, shortenAddresses, subtract } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { filledIn, REASON } from "../ui/forms/fields.tsx";
import { AgentLink, NameLink, usePolicies } from "../ui/names.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";

const POLL_MS = 3_000;
/** The statuses of approvals, payments and operations that change without this page. */
const MOVING = ["pending", "requires_approval", "queued", "signing", "submitted", "running", "compensating"];
const WHILE_MOVING = {
  refetchInterval: ({ state }: { readonly state: { readonly data?: { readonly status: string } | undefined } }) =>
    MOVING.includes(state.data?.status ?? "pending") && POLL_MS,
};

/** What waits for a person, what would happen, and what has happened. */
export function ApprovalPage() {
  const params = { path: { approval_id: useId("approvalId") } };
  const query = hooks.useQuery("get", "/approvals/{approval_id}", { params }, WHILE_MOVING);
  return (
    <Page
      title={shortenAddresses(query.data?.summary.title ?? "Approval")}
      intro="Agents write their names and reasons themselves. Approve only what you want to happen."
      back={{ label: "Approvals", to: "/approvals" }}
    >
      <Loaded query={query}>{(approval) => <Details key={approval.approval_id} approval={approval} />}</Loaded>
    </Page>
  );
}

interface ApprovalProps {
  readonly approval: Approval;
}

function Details({ approval }: ApprovalProps) {
  const { subject, status } = approval;
  const [answered, setAnswered] = useState<Outcome>();
  const ofPayment = { params: { path: { payment_id: subject.id } } };
  const isPayment = { ...WHILE_MOVING, enabled: subject.type === "payment" };
  const payment = hooks.useQuery("get", "/payments/{payment_id}", ofPayment, isPayment).data;
  const ofOperation = { params: { path: { operation_id: subject.id } } };
  const isOperation = { ...WHILE_MOVING, enabled: subject.type === "operation" };
  const operation = hooks.useQuery("get", "/operations/{operation_id}", ofOperation, isOperation).data;
  const outcome = payment ?? (operation && { status: operation.status, failure: operation.error }) ?? answered;
  return (
    <>
      {status !== "pending" && <OutcomeAlert status={status} payment={payment} outcome={outcome} />}
      <Section title="Request">
        <Request approval={approval} />
        <Reasons approval={approval} />
        {status === "pending" && (
          <>
            <Effects approval={approval} payment={payment} />
            <Group>
              <Decide approval={approval} verb="approve" decided={setAnswered} />
              <Decide approval={approval} verb="deny" decided={setAnswered} />
            </Group>
          </>
        )}
      </Section>
      <Votes approval={approval} />
    </>
  );
}

function Request({ approval: { approval_id, agent_id, summary, status, expires_at, created_at } }: ApprovalProps) {
  const { amount, payee, reason, line_items } = summary;
  const currency = summary.currency?.toUpperCase();
  const left = status === "pending" && ` (in ${formatDuration(Date.parse(expires_at) - Date.now())})`;
  const facts = [
    ["Status", <Status key="status" status={status} />],
    ["Amount", amount && formatAmount(amount, currency)],
    ["Payee", payee && <CopyText text={payee} what="payee" />],
    ["Agent", agent_id && <AgentLink id={agent_id} />],
    ["Reason given", reason],
    ...line_items.map((item) => [item.description, formatAmount(item.amount, currency)] as const),
    ["Asked", <Time key="asked" at={created_at} />],
    ["Expires", [<Time key="expires" at={expires_at} />, left]],
    ["Id", <CopyText key="id" text={approval_id} what="approval id" />],
  ] as const;
  return <Facts facts={facts.filter(([, value]) => value !== null)} />;
}

/** The rules that ask, and what is unusual beside them. */
function Reasons({ approval: { rules, summary } }: ApprovalProps) {
  const policies = usePolicies();
  const unusual = summary.risk_flags.filter((flag) => !rules.some(({ rule_id }) => rule_id === flag));
  return (
    <div>
      <Text size="sm" fw={600}>
        Why you are asked
      </Text>
      <List size="sm">
        {rules.map(({ policy_id, policy_version, rule_id }) => (
          <List.Item key={`${policy_id} ${rule_id}`}>
            {policy_id === null ? (
              `${formatName(rule_id)} would be exceeded.`
            ) : (
              <>
                The rule {rule_id} of <NameLink to="/policies" id={policy_id} among={policies} underline="always" />{" "}
                (version {policy_version}) asks.
              </>
            )}
          </List.Item>
        ))}
        {unusual.map((flag) => (
          <List.Item key={flag}>{formatName(flag)}</List.Item>
        ))}
      </List>
    </div>
  );
}

interface DecideProps extends ApprovalProps {
  readonly verb: "approve" | "deny";
  readonly decided: (outcome: Outcome | undefined) => void;
}

/** Decides. If someone else was faster, the screen shows their decision in place of an error. */
function Decide({ approval: { approval_id, summary }, verb, decided }: DecideProps) {
  const run = async (body: { readonly note?: string }) => {
    try {
      const { data } = await api.POST(`/approvals/{approval_id}/${verb}`, { params: { path: { approval_id } }, body });
      decided(data?.outcome);
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== "conflict") throw error;
    }
  };
  const word = formatName(verb);
  const amount = summary.amount && ` ${formatAmount(summary.amount, summary.currency?.toUpperCase())}`;
  return (
    <ActionDialog
      {...{
        title: `${word} this request`,
        button: word,
        action: `${word}${amount ?? ""}`,
        isDangerous: verb === "deny",
      }}
      fields={[{ ...REASON, name: "note" }]}
      run={(values) => run(filledIn(values))}
    />
  );
}

const VIA = { api: "with an API key", dashboard: "in the dashboard", email_link: "with the link in the email" };

function Votes({ approval: { votes, approvers } }: ApprovalProps) {
  const mayDecide = approvers.map((one) => (one === "role:owner" ? "the account's owner" : one)).join(", ");
  return (
    <Alert color="gray" title="Decisions" role="region">
      {votes.length === 0 && <Text size="sm">None yet. Who may decide: {mayDecide}.</Text>}
      {votes.map(({ decision, by, via, at, note }) => (
        <Text size="sm" key={at} component="div">
          {formatName(decision)} by {by.type === "developer" ? "the account's owner" : by.type}, {VIA[via]}, on{" "}
          <Time at={at} />
          {note !== null && `: “${note}”`}
        </Text>
      ))}
    </Alert>
  );
}

/** Other payments go on while a person decides. */
const FRESH = { staleTime: 0, refetchInterval: 5_000 };

interface EffectsProps {
  readonly approval: Approval;
  readonly payment: Pick<Payment, "wallet_id" | "project_id" | "token"> | undefined;
}

/** What is left of the balance, the cap and the budgets before and after the amount is spent. */
function Effects({ approval: { agent_id, summary }, payment }: EffectsProps) {
  const wallet = { params: { path: { wallet_id: payment?.wallet_id ?? "" } } };
  const hasWallet = { ...FRESH, enabled: payment !== undefined };
  const balances = hooks.useQuery("get", "/wallets/{wallet_id}/balance", wallet, hasWallet).data?.balances ?? [];
  const agent = { params: { path: { agent_id: agent_id ?? "" } } };
  const hasAgent = { ...FRESH, enabled: agent_id !== null };
  const { data: budgets, error } = hooks.useQuery("get", "/agents/{agent_id}/budgets", agent, hasAgent);
  // A limit of single operations has nothing left over, and a count has no amount.
  const limits = budgets?.limits.filter(({ window, kind }) => window !== "per_tx" && kind === "budget") ?? [];
  const caps = budgets?.caps.filter((cap) => cap.project_id === payment?.project_id && cap.provider === null) ?? [];
  const left = [
    ...balances
      .filter(({ token }) => token === payment?.token)
      .map(({ token, available }) => [`${token} of the wallet`, available, token] as const),
    ...limits.map((limit) => [`${limit.rule_id} of ${limit.policy_name}`, limit.remaining, "USD"] as const),
    ...caps.map((cap) => [`Cap of ${cap.project_name}`, cap.remaining, "USD"] as const),
  ];
  if (error !== null) return <ProblemAlert error={error} />;
  if (left.length === 0) return null;
  const changeOf = (before: string, currency: string) => {
    const after = subtract(before, summary.amount ?? "0");
    const isExceeded = after.startsWith("-");
    const text = formatAmount(after.replace("-", ""), currency);
    return `${formatAmount(before, currency)} → ${isExceeded ? "exceeded by " : ""}${text}`;
  };
  return (
    <div>
      <Text size="sm" fw={600} mb="xs">
        Left before and after
      </Text>
      <Facts facts={left.map(([label, before, currency]) => [label, changeOf(before, currency)])} />
    </div>
  );
}

type Outcome = NonNullable<Approval["outcome"]>;

const ENDINGS = {
  pending: "",
  approved: "The request continues.",
  denied: "The request is not carried out.",
  expired: "No one decided in time, so the request is not carried out.",
  canceled: "What waited for the approval has ended, so there is nothing to decide.",
};

interface OutcomeProps {
  readonly status: Approval["status"];
  readonly payment: Pick<Payment, "payment_id"> | undefined;
  /** The state of what waited. Undefined if the API does not tell it. */
  readonly outcome: Outcome | undefined;
}

/** Says what has happened to what waited for the approval. */
function OutcomeAlert({ status, payment, outcome }: OutcomeProps) {
  const known = status === "approved" ? outcome : undefined;
  const hasFailed = Boolean(known?.failure);
  return (
    <Alert
      color={status === "approved" && !hasFailed ? "teal" : "orange"}
      title={formatName(status) + (hasFailed ? ", but not carried out" : "")}
      role="status"
    >
      <Text size="sm">{known === undefined ? ENDINGS[status] : textOf(known)}</Text>
      {payment !== undefined && (
        <AppLink to={`/payments/${payment.payment_id}`} size="sm">
          Open the payment
        </AppLink>
      )}
    </Alert>
  );
}

function textOf({ status, failure }: Outcome): string {
  const state = `The request is ${status.replaceAll("_", " ")}`;
  if (failure !== null) return `${state}: ${failure.detail}`;
  if (status === "requires_approval") return "Another rule asks, so the request waits for another approval.";
  return status === "pending" || status === "running" ? ENDINGS.approved : `${state}.`;
}
