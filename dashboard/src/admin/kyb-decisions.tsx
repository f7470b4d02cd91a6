import { Alert, Group, Stack, Text } from "@mantine/core";
import type { PendingKybDecision, ShownDeveloper } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatName } from "../ui/format.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { Facts } from "../ui/page.tsx";
import { Time } from "../ui/values.tsx";

type Decision = PendingKybDecision["status"];

interface Props {
  readonly developer: ShownDeveloper;
}

/** The decisions that are possible now. A verified business can be verified again, which is a renewal. */
export function DecisionButtons({ developer }: Props) {
  const isVerified = developer.kyb.status === "verified";
  return (
    <>
      <Verify developer={developer} action={isVerified ? "Renew" : "Mark verified"} />
      <Refuse developer={developer} isVerified={isVerified} />
    </>
  );
}

const VERIFIED =
  "Live money that needs a verified business then works. Check the data in a register. The developer sees the reference.";
const REJECTED = "The developer sees the reason, and can send other data.";
const REVOKED = "Live money that needs a verified business stops at once. The developer sees the reason.";

const NOTE = { name: "note", label: "Note for other admins", input: "lines", maxLength: 1_000 } as const;

function Verify({ developer, action }: Props & { action: string }) {
  const { legal_name, registration_number, jurisdiction } = developer.kyb_case;
  return (
    <ActionDialog
      {...{ title: `${action}: ${developer.email}`, button: action, action, text: VERIFIED }}
      fields={[
        { name: "legal_name", label: "Legal name", maxLength: 300, defaultValue: legal_name },
        {
          name: "registration_number",
          label: "Registration number",
          maxLength: 100,
          defaultValue: registration_number,
        },
        { name: "jurisdiction", label: "Jurisdiction", maxLength: 100, defaultValue: jurisdiction },
        { name: "expires_on", label: "Ends on (empty: never)", type: "date" },
        { name: "reference", label: "Reference, such as a case number", maxLength: 200 },
        NOTE,
      ]}
      run={({ expires_on: day, ...values }) => {
        return send(developer, "verified", { ...values, expires_at: day && `${day}T00:00:00Z` });
      }}
    />
  );
}

function Refuse({ developer, isVerified }: Props & { isVerified: boolean }) {
  const action = isVerified ? "Revoke" : "Reject";
  return (
    <ActionDialog
      {...{ title: `${action}: ${developer.email}`, button: action, action, isDangerous: true }}
      text={isVerified ? REVOKED : REJECTED}
      typeToConfirm={isVerified ? developer.email : undefined}
      fields={[{ name: "reference", label: "Reason", required: true, maxLength: 200 }, NOTE]}
      run={(values) => send(developer, isVerified ? "revoked" : "rejected", values)}
    />
  );
}

/** A decision that needs a second admin: says so, and lets another admin make the same one. */
export function WaitingDecision({ developer }: Props) {
  const { data: me } = hooks.useQuery("get", "/admin/me");
  const waiting = developer.waiting_kyb_decision;
  if (waiting === null) return null;
  const { status, proposed_by, proposed_at, note, ...decided } = waiting;
  const isOwn = proposed_by === me?.admin_id;
  const texts = Object.entries({ ...decided, note }).filter(([, text]) => text !== null);
  const facts = <Facts facts={texts.map(([name, text]) => [formatName(name), text])} />;
  return (
    <Alert color="orange" title={`“${formatName(status)}” waits for a second admin`}>
      <Stack gap="sm">
        <Text size="sm">
          {isOwn ? "You" : proposed_by} decided so on <Time at={proposed_at} />.{" "}
          {isOwn ? "Another admin must make the same decision." : "It takes effect when you make the same decision."}
        </Text>
        {facts}
        {!isOwn && (
          <Group>
            <ActionDialog
              title={`${formatName(status)}: ${developer.email}`}
              button="Approve this decision"
              action="Approve"
              isDangerous={status !== "verified"}
              run={() => send(developer, status, decided)}
            >
              {facts}
            </ActionDialog>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Sends a decision about the data that this page shows: if the developer has sent other data since, it is refused. */
function send(
  { developer_id, kyb_case: { submitted_at } }: ShownDeveloper,
  status: Decision,
  fields: Readonly<Record<string, string | null>>,
) {
  const given = Object.entries({ ...fields, submitted_at }).filter(([, text]) => text !== null && text !== "");
  return api.POST("/developers/verify-kyb", { body: { developer_id, status, ...Object.fromEntries(given) } });
}
