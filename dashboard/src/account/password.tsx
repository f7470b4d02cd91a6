import { Anchor, Button, Checkbox, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { EmailedToken } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { AccountPage } from "./account-page.tsx";
import { KeysOfAccount } from "./emailed-keys.tsx";
import { useEmailedToken } from "./emailed-token.ts";
import { Waiting } from "./sign-in-form.tsx";

export function ForgotPassword() {
  const [isSent, setSent] = useState(false);
  const { error, isRunning, submit } = useSubmit(async (form) => {
    await api.POST("/developers/password/forgot", { body: { email: textOf(form, "email") } });
    setSent(true);
  });
  return (
    <AccountPage
      title={isSent ? "Check your mail" : "Set a new password"}
      below={<Anchor href="/login">Back to sign in</Anchor>}
    >
      {isSent ? (
        <Text size="sm">
          If the address has an account, the email is on its way. Its link works once, for one hour.
        </Text>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              If the address has an account, we send a link to it, with which you choose a new password.
            </Text>
            <TextInput name="email" label="Email address" type="email" autoComplete="username" required autoFocus />
            <ProblemAlert error={error} />
            <Button type="submit" loading={isRunning}>
              Send me a link
            </Button>
          </Stack>
        </form>
      )}
    </AccountPage>
  );
}

/** The page of the link in a reset email. */
export function ResetPassword() {
  const { token, account, error } = useEmailedToken("token", "reset_password");
  const [isSet, setSet] = useState(false);
  if (isSet) {
    return (
      <AccountPage title="Your password is set">
        <Text size="sm">All your sessions have ended.</Text>
        <Button component="a" href="/login">
          Sign in with the new password
        </Button>
      </AccountPage>
    );
  }
  if (error !== undefined) return <ExpiredLink />;
  if (account === undefined) return <Waiting text="Reading the link" />;
  return <NewPassword account={account} token={token} done={() => setSet(true)} />;
}

function NewPassword({
  account,
  token,
  done,
}: {
  readonly account: EmailedToken;
  readonly token: string;
  readonly done: () => void;
}) {
  const { error, isRunning, submit } = useSubmit(async (form) => {
    const choice = account.ownership_confirmed ? "revoke_keys" : "keep_keys";
    const keys = account.keys.length > 0 && { [choice]: form.get("keys") !== null };
    await api.POST("/developers/password/reset", { body: { token, password: textOf(form, "password"), ...keys } });
    done();
  });
  const problem = error instanceof RequestError ? error.fields["password"] : undefined;
  return (
    <AccountPage title="Choose a new password" intro={`For ${account.email}. This ends all your sessions.`}>
      <form onSubmit={submit}>
        <Stack>
          {!account.ownership_confirmed && (
            <Text size="sm">
              Purser does not know whether the owner of this mailbox created this account. Setting the password removes
              the account's second factor, linked logins and profile.
            </Text>
          )}
          <PasswordInput
            name="password"
            label="New password"
            description="12 to 128 characters"
            autoComplete="new-password"
            required
            minLength={12}
            autoFocus
            error={problem}
          />
          {account.keys.length > 0 && (
            <>
              <KeysOfAccount keys={account.keys} />
              <Checkbox
                name="keys"
                label={
                  account.ownership_confirmed
                    ? "Revoke these API keys too"
                    : "Keep these API keys: I created all of them. Otherwise they are revoked."
                }
              />
            </>
          )}
          {problem === undefined && <ProblemAlert error={error} />}
          <Button type="submit" loading={isRunning}>
            Set the password
          </Button>
        </Stack>
      </form>
    </AccountPage>
  );
}

function ExpiredLink() {
  return (
    <AccountPage title="This link does not work">
      <Text size="sm">
        It was used before, is older than an hour, or is incomplete.{" "}
        <Anchor href="/login/forgot">Ask for a new one</Anchor>.
      </Text>
    </AccountPage>
  );
}
