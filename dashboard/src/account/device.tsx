import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { DeviceLogin, PendingDeviceLogin } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { ownerState } from "../api/session.ts";
import { ProofFields, SubmitForm } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { Bars } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Time } from "../ui/values.tsx";
import { AccountPage } from "./account-page.tsx";
import { DeveloperSession } from "./session.tsx";

/** Approves or denies a program that asks for an API key (RFC 8628, section 3.3). */
export function Device() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const { history } = useRouter();
  const [userCode, setUserCode] = useState(search["user_code"] ?? "");
  const { data: developer, error } = hooks.useQuery("get", "/developers/dashboard/me");
  const isSignedOut = error instanceof RequestError && error.status === 401;
  useEffect(() => {
    if (isSignedOut) history.replace(`/login?${new URLSearchParams({ next: history.location.href })}`);
  }, [isSignedOut, history]);
  if (developer === undefined) return <Bars lines={4} />;
  // A key must not be of another account than the page says, if another tab signs in as someone else.
  ownerState.set(developer.developer_id);
  if (!developer.email_verified) return <AccountPage title="Verify your email address first" text={UNVERIFIED} />;
  return (
    <>
      <DeveloperSession developer={developer} />
      {userCode === "" ? (
        <EnterCode email={developer.email} entered={setUserCode} />
      ) : (
        <WaitingDevice userCode={userCode} email={developer.email} again={() => setUserCode("")} />
      )}
    </>
  );
}

const UNVERIFIED = "API keys need a verified address. Open the link in the email that you got after the sign-up.";

function EnterCode({ email, entered }: { readonly email: string; readonly entered: (code: string) => void }) {
  const form = useSubmit(async (fields) => entered(textOf(fields, "user_code").trim()));
  const code = { name: "user_code", label: "Code that the program shows", placeholder: "BCDF-GHJK", maxLength: 50 };
  return (
    <AccountPage title="Connect a program" intro={`You are signed in as ${email}.`}>
      <SubmitForm form={form} action="Continue" isWide fields={[{ ...code, required: true }]} />
    </AccountPage>
  );
}

interface DeviceProps {
  readonly userCode: string;
  readonly email: string;
}

function WaitingDevice({ again, ...props }: DeviceProps & { readonly again: () => void }) {
  const query = { user_code: props.userCode };
  const { data, error } = hooks.useQuery(
    ...(["get", "/developers/dashboard/device", { params: { query } }, { retry: false }] as const),
  );
  const [decided, setDecided] = useState<DeviceLogin>();
  if (decided !== undefined)
    return <AccountPage {...OUTCOMES[decided.status === "approved" ? "approved" : "denied"]} />;
  if (data !== undefined) return <Decide {...props} device={data} decided={setDecided} />;
  if (error === null) return <Bars lines={4} />;
  return (
    <AccountPage title="Connect a program">
      <ProblemAlert error={error} />
      <Button onClick={again}>Enter the code again</Button>
    </AccountPage>
  );
}

const OUTCOMES = {
  approved: {
    title: "Approved",
    text: "The program gets its key within a few seconds. You can close this page. The key has the program's name in the list of your API keys, where you can revoke it.",
  },
  denied: { title: "Denied", text: "The program gets no API key. You can close this page." },
};

interface DecideProps extends DeviceProps {
  readonly device: PendingDeviceLogin;
  readonly decided: (login: DeviceLogin | undefined) => void;
}

function Decide({ device, userCode, email, decided }: DecideProps) {
  const { error, needsProof, submit } = useSubmit(async (form, proof) => {
    const decision = textOf(form, "decision");
    const { data } = await api.POST("/developers/oauth/device/approve", {
      body: { user_code: userCode, approve: decision === "test" || decision === "live", ...proof },
      headers: { "x-svc-mode": decision === "live" ? "live" : "test" },
    });
    decided(data);
  });
  const scopes = device.scopes.length === 0 ? "all scopes but deciding approvals" : device.scopes.join(", ");
  const choice = (value: string) => ({ type: "submit", name: "decision", value }) as const;
  return (
    <AccountPage title="Give this program an API key?">
      <Text size="sm">
        A program named <strong>{device.client_name}</strong> asks for an API key for <strong>{email}</strong> with{" "}
        {scopes}.
      </Text>
      <Text size="sm">
        The request came from {device.network ?? "an unknown network"} at <Time at={device.created_at} />, as{" "}
        <Code>{device.user_agent ?? "an unknown program"}</Code>. Programs choose these names themselves.
      </Text>
      <Text size="sm">
        Approve only if you have just started the program yourself and it shows the code <strong>{userCode}</strong>. If
        another person sent you here, deny.
      </Text>
      <form onSubmit={submit}>
        <Stack>
          {needsProof && <ProofFields />}
          <ProblemAlert error={error} />
          <Group>
            <Button {...choice("deny")}>Deny</Button>
            <Button {...choice("test")} variant="default">
              Approve with a test key
            </Button>
            <Button {...choice("live")} variant="default">
              Approve with a live key
            </Button>
          </Group>
        </Stack>
      </form>
    </AccountPage>
  );
}
