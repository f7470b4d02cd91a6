import { Alert, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Fragment } from "react";
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
  // Other data of the developer starts the form anew: the admin decides about what the form shows.
  return (
    <Fragment key={developer.kyb_case.submitted_at}>
      <Decide developer={developer} status="verified" action={isVerified ? "Renew" : "Mark verified"} />
      {isVerified && <Decide developer={developer} status="revoked" action="Revoke" />}
      {!isVerified && <Decide developer={developer} status="rejected" action="Reject" />}
    </Fragment>
  );
}

const MEANINGS: Readonly<Record<Decision, string>> = {
  verified:
    "Live money that needs a verified business then works. Check the data in a register. The developer sees the reference.",
  rejected: "The developer sees the reason, and can send other data.",
  revoked: "Live money that needs a verified business stops at once. The developer sees the reason.",
};

function Decide({ developer, status, action }: Props & { readonly status: Decision; readonly action: string }) {
  const { legal_name, registration_number, jurisdiction } = developer.kyb_case;
  const isVerification = status === "verified";
  const form = useForm({
    initialValues: {
      ...{ reference: "", note: "", expires_on: "" },
      legal_name: legal_name ?? "",
      registration_number: registration_number ?? "",
      jurisdiction: jurisdiction ?? "",
    },
  });
  const decide = () => {
    const { reference, note, expires_on, ...checked } = form.values;
    const expires_at = expires_on === "" ? "" : `${expires_on}T00:00:00Z`;
    return send(developer, status, { reference, note, ...(isVerification && { ...checked, expires_at }) });
  };
  return (
    <ActionDialog
      title={`${action}: ${developer.email}`}
      button={action}
      buttonProps={isVerification ? {} : { variant: "light", color: "red" }}
      action={action}
      isDangerous={!isVerification}
      typeToConfirm={status === "revoked" ? developer.email : undefined}
      run={decide}
    >
      <Stack>
        <Text size="sm">{MEANINGS[status]}</Text>
        {isVerification && (
          <>
            <TextInput label="Legal name" maxLength={300} {...form.getInputProps("legal_name")} />
            <TextInput label="Registration number" maxLength={100} {...form.getInputProps("registration_number")} />
            <TextInput label="Jurisdiction" maxLength={100} {...form.getInputProps("jurisdiction")} />
            <TextInput label="Ends on (empty: never)" type="date" {...form.getInputProps("expires_on")} />
          </>
        )}
        <TextInput
          label={isVerification ? "Reference, such as a case number" : "Reason"}
          required={!isVerification}
          maxLength={200}
          {...form.getInputProps("reference")}
        />
        <Textarea label="Note for other admins" autosize maxLength={1_000} {...form.getInputProps("note")} />
      </Stack>
    </ActionDialog>
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
