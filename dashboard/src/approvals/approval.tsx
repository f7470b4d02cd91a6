import { Alert, Group, List, Paper, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Approval } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { formatAmount, formatDuration, formatName, shortenAddresses } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { useAgentName, usePolicies } from "../ui/names.tsx";
import { AppLink, useId } from "../ui/navigation.tsx";
import { Facts, Loaded, Page } from "../ui/page.tsx";
import { Amount, Status, Time } from "../ui/values.tsx";
import { Effects } from "./effects.tsx";
import { type Outcome, OutcomeAlert } from "./outcome.tsx";

/** What waits for a person, what would happen, and what has happened. */
export function ApprovalPage() {
  const params = { path: { approval_id: useId("approvalId") } };
  const query = hooks.useQuery("get", "/approvals/{approval_id}", { params }, { refetchInterval: 5_000 });
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

function Details({ approval }: { readonly approval: Approval }) {
  const { subject, status } = approval;
  const [answered, setAnswered] = useState<Outcome>();
  const isPending = status === "pending";
  const again = { refetchInterval: 3_000 };
  const ofPayment = { params: { path: { payment_id: subject.id } } };
  const isPayment = { ...again, enabled: subject.type === "payment" };
  const payment = hooks.useQuery("get", "/payments/{payment_id}", ofPayment, isPayment).data;
  const ofOperation = { params: { path: { operation_id: subject.id } } };
  const isOperation = { ...again, enabled: subject.type === "operation" };
  const operation = hooks.useQuery("get", "/operations/{operation_id}", ofOperation, isOperation).data;
  const outcome = payment ?? (operation && { status: operation.status, failure: operation.error }) ?? answered;
  return (
    <>
      {!isPending && <OutcomeAlert approval={approval} payment={payment} outcome={outcome} />}
      <Paper withBorder p="md">
        <Stack>
          <Request approval={approval} />
          <Reasons approval={approval} />
          {isPending && (
            <>
              <Effects approval={approval} payment={payment} />
              <Group>
                <Decide approval={approval} verb="approve" decided={setAnswered} />
                <Decide approval={approval} verb="deny" decided={setAnswered} />
              </Group>
            </>
          )}
        </Stack>
      </Paper>
      <Votes approval={approval} />
    </>
  );
}

function Request({ approval }: { readonly approval: Approval }) {
  const nameOf = useAgentName();
  const { agent_id, summary, status, expires_at } = approval;
  const { amount, currency, payee, reason, line_items } = summary;
  const code = currency?.toUpperCase();
  const left = status === "pending" && ` (in ${formatDuration(Date.parse(expires_at) - Date.now())})`;
  const facts = [
    ["Status", <Status key="status" status={status} />],
    ["Amount", amount && <Amount amount={amount} currency={code} />],
    ["Payee", payee && <CopyText text={payee} what="payee" />],
    [
      "Agent",
      agent_id && (
        <AppLink to={`/agents/${agent_id}`} inherit>
          {nameOf(agent_id)}
        </AppLink>
      ),
    ],
    ["Reason given", reason],
    ...line_items.map((item) => [item.description, formatAmount(item.amount, code)] as const),
    ["Asked", <Time key="asked" at={approval.created_at} />],
    [
      "Expires",
      <span key="expires">
        <Time at={expires_at} />
        {left}
      </span>,
    ],
    ["Id", <CopyText key="id" text={approval.approval_id} what="approval id" />],
  ] as const;
  return <Facts facts={facts.filter(([, value]) => value !== null)} />;
}

/** The rules that ask, and what is unusual beside them. */
function Reasons({ approval: { rules, summary } }: { readonly approval: Approval }) {
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
                The rule {rule_id} of{" "}
                <AppLink to={`/policies/${policy_id}`} inherit underline="always">
                  {policies?.find((policy) => policy.policy_id === policy_id)?.name ?? policy_id}
                </AppLink>{" "}
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

interface DecideProps {
  readonly approval: Approval;
  readonly verb: "approve" | "deny";
  readonly decided: (outcome: Outcome | undefined) => void;
}

/** Decides. If someone else was faster, the screen shows their decision in place of an error. */
function Decide({ approval: { approval_id, summary }, verb, decided }: DecideProps) {
  const [note, setNote] = useState("");
  const run = async () => {
    const request = { params: { path: { approval_id } }, body: note === "" ? {} : { note } };
    try {
      decided((await api.POST(`/approvals/{approval_id}/${verb}`, request)).data?.outcome);
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== "conflict") throw error;
    }
  };
  const word = formatName(verb);
  return (
    <ActionDialog
      title={`${word} this request`}
      button={word}
      buttonProps={verb === "deny" ? { variant: "light", color: "red" } : {}}
      action={
        summary.amount === null ? word : `${word} ${formatAmount(summary.amount, summary.currency?.toUpperCase())}`
      }
      isDangerous={verb === "deny"}
      run={run}
    >
      <Textarea
        label="Reason"
        description="Stored with the decision. Optional."
        maxLength={500}
        data-autofocus
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </ActionDialog>
  );
}

function Votes({ approval: { votes, approvers } }: { readonly approval: Approval }) {
  return (
    <Alert color="gray" title="Decisions" role="region">
      {votes.length === 0 && <Text size="sm">None yet. Who may decide: {approvers.map(approverText).join(", ")}.</Text>}
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

const VIA = { api: "with an API key", dashboard: "in the dashboard", email_link: "with the link in the email" };

function approverText(approver: string): string {
  return approver === "role:owner" ? "the account's owner" : approver;
}
