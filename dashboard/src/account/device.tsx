import { Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { DeviceLogin, PendingDeviceLogin } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { type LoginProof, ProofFields } from "../ui/forms/action-dialog.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { Bars } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Time } from "../ui/values.tsx";
import { AccountPage } from "./account-page.tsx";

/** Approves or denies a program that asks for an API key (RFC 8628, section 3.3). */
export function Device() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const { history } = useRouter();
  const [userCode, setUserCode] = useState(search["user_code"] ?? "");
  const profile = hooks.useQuery("get", "/developers/dashboard/me");
  const isSignedOut = profile.error instanceof RequestError && profile.error.status === 401;
  useEffect(() => {
    if (isSignedOut) history.replace(`/login?${new URLSearchParams({ next: history.location.href })}`);
  }, [isSignedOut, history]);
  if (profile.data === undefined) return <Bars lines={4} />;
  if (!profile.data.email_verified) {
    return (
      <AccountPage title="Verify your email address first">
        <Text size="sm">
          API keys need a verified address. Open the link in the email that you got after the sign-up.
        </Text>
      </AccountPage>
    );
  }
  if (userCode === "") return <EnterCode email={profile.data.email} entered={setUserCode} />;
  return <WaitingDevice userCode={userCode} email={profile.data.email} again={() => setUserCode("")} />;
}

function EnterCode({ email, entered }: { readonly email: string; readonly entered: (code: string) => void }) {
  const { submit } = useSubmit(async (form) => entered(textOf(form, "user_code").trim()));
  return (
    <AccountPage title="Connect a program" intro={`You are signed in as ${email}.`}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            name="user_code"
            label="Code that the program shows"
            placeholder="BCDF-GHJK"
            required
            maxLength={50}
            autoFocus
          />
          <Button type="submit">Continue</Button>
        </Stack>
      </form>
    </AccountPage>
  );
}

interface WaitingDeviceProps {
  readonly userCode: string;
  readonly email: string;
  readonly again: () => void;
}

function WaitingDevice({ userCode, email, again }: WaitingDeviceProps) {
  const query = { user_code: userCode };
  const device = hooks.useQuery("get", "/developers/dashboard/device", { params: { query } }, { retry: false });
  const [decided, setDecided] = useState<DeviceLogin>();
  if (decided !== undefined) return <Decided login={decided} />;
  if (device.error !== null) {
    return (
      <AccountPage title="Connect a program">
        <ProblemAlert error={device.error} />
        <Button onClick={again}>Enter the code again</Button>
      </AccountPage>
    );
  }
  if (device.data === undefined) return <Bars lines={4} />;
  return <Decide device={device.data} userCode={userCode} email={email} decided={setDecided} />;
}

interface DecideProps {
  readonly device: PendingDeviceLogin;
  readonly userCode: string;
  readonly email: string;
  readonly decided: (login: DeviceLogin | undefined) => void;
}

function Decide({ device, userCode, email, decided }: DecideProps) {
  const [error, setError] = useState<unknown>();
  const [proof, setProof] = useState<LoginProof>({});
  const needsProof = error instanceof RequestError && error.code === "reauthentication_required";
  const decide = (mode: "live" | "test", approve: boolean) => async () => {
    try {
      const { data } = await api.POST("/developers/oauth/device/approve", {
        body: { user_code: userCode, approve, ...proof },
        headers: { "x-svc-mode": mode },
      });
      decided(data);
    } catch (thrown) {
      setError(thrown);
    }
  };
  const scopes = device.scopes.length === 0 ? "all scopes but deciding approvals" : device.scopes.join(", ");
  return (
    <AccountPage title="Give this program an API key?">
      <Text size="sm">
        A program named <strong>{device.client_name}</strong> asks for an API key for <strong>{email}</strong> with{" "}
        {scopes}.
      </Text>
      <Text size="sm">
        The request came from {device.network ?? "an unknown network"} at <Time at={device.created_at} />
        {device.user_agent !== null && (
          <>
            , as <Code>{device.user_agent}</Code>
          </>
        )}
        . Programs choose these names themselves.
      </Text>
      <Text size="sm">
        Approve only if you have just started the program yourself and it shows the code <strong>{userCode}</strong>. If
        another person sent you here, deny.
      </Text>
      {needsProof && <ProofFields proof={proof} change={setProof} />}
      <ProblemAlert error={error} />
      <Group>
        <Button onClick={decide("test", false)}>Deny</Button>
        <Button variant="default" onClick={decide("test", true)}>
          Approve with a test key
        </Button>
        <Button variant="default" onClick={decide("live", true)}>
          Approve with a live key
        </Button>
      </Group>
    </AccountPage>
  );
}

function Decided({ login }: { readonly login: DeviceLogin }) {
  const isApproved = login.status === "approved";
  return (
    <AccountPage title={isApproved ? "Approved" : "Denied"}>
      <Text size="sm">
        {isApproved
          ? "The program gets its key within a few seconds. You can close this page. The key has the program's name in the list of your API keys, where you can revoke it."
          : "The program gets no API key. You can close this page."}
      </Text>
    </AccountPage>
  );
}
