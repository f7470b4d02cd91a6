import { Anchor, Button, List, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api } from "../api/client.ts";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { Time } from "../ui/values.tsx";
import { AccountPage } from "./account-page.tsx";
import { useEmailedToken } from "./emailed-token.ts";
import { SignInForm, Waiting } from "./sign-in-form.tsx";

/** The page of the link in a verification email. Opening it changes nothing, because mail scanners open links too. */
export function VerifyEmail({ done }: { readonly done: () => void }) {
  const { token, account, error } = useEmailedToken("verify", "verify_email");
  const [isVerified, setVerified] = useState(false);
  if (error !== undefined) return <UnusableLink />;
  if (account === undefined) return <Waiting text="Reading the link" />;
  if (isVerified) return <Verified email={account.email} done={done} />;
  return account.verified_at === null ? (
    <ConfirmAddress email={account.email} token={token} verified={() => setVerified(true)} />
  ) : (
    <AccountPage title="This address is already verified" below={<Anchor href="/login">Sign in</Anchor>}>
      <Text size="sm">
        <strong>{account.email}</strong> was verified at <Time at={account.verified_at} />.
      </Text>
      <Text size="sm">
        If you did not verify it, or did not choose the password,{" "}
        <Anchor href="/login/forgot">choose a new password</Anchor>. This ends all sessions of the account.
      </Text>
    </AccountPage>
  );
}

function ConfirmAddress({
  email,
  token,
  verified,
}: {
  readonly email: string;
  readonly token: string;
  readonly verified: () => void;
}) {
  const { error, isRunning, submit } = useSubmit(async () => {
    await api.POST("/developers/verify-email", { body: { token } });
    verified();
  });
  return (
    <AccountPage title="Verify your email address">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            Someone signed up for Purser with <strong>{email}</strong>. If it was you, verify the address. If it was
            not, close this page: nothing has changed.
          </Text>
          <ProblemAlert error={error} />
          <Button type="submit" loading={isRunning}>
            Verify my email address
          </Button>
        </Stack>
      </form>
    </AccountPage>
  );
}

function Verified({ email, done }: { readonly email: string; readonly done: () => void }) {
  return (
    <AccountPage title="Your email address is verified" intro="Sign in to open your dashboard.">
      <SignInForm email={email} done={done} />
    </AccountPage>
  );
}

function UnusableLink() {
  return (
    <AccountPage title="This link does not work" below={<Anchor href="/login">Sign in</Anchor>}>
      <Text size="sm">It is older than 24 hours or incomplete, or another signup with your address was verified.</Text>
      <List size="sm">
        <List.Item>If you have already verified your address, sign in.</List.Item>
        <List.Item>
          If you do not know the password, <Anchor href="/login/forgot">choose a new one</Anchor>. This verifies the
          address too.
        </List.Item>
        <List.Item>After the sign-in you can ask for a new email.</List.Item>
      </List>
    </AccountPage>
  );
}
