import { Anchor, Button, Checkbox, List, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { EmailedToken } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import type { Field } from "../ui/forms/fields.tsx";
import { SubmitForm } from "../ui/forms/submit-form.tsx";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { Time } from "../ui/values.tsx";
import { AccountPage } from "./account-page.tsx";
import { SignInForm, Waiting } from "./sign-in-form.tsx";

/**
 * Takes the token out of the URL of an email, so that it is neither in the history nor in a screenshot, and reads what it is for.
 * Reading does not use it.
 */
function useEmailedToken(parameter: "token" | "verify", purpose: EmailedToken["purpose"]) {
  const [token] = useState(() => new URLSearchParams(window.location.search).get(parameter) ?? "");
  const [state, setState] = useState<{ readonly account?: EmailedToken; readonly error?: unknown }>({});
  useEffect(() => {
    window.history.replaceState(window.history.state, "", window.location.pathname);
    api.POST("/developers/emailed-tokens", { body: { token, purpose } }).then(
      ({ data }) => setState({ account: data }),
      (error: unknown) => setState({ error }),
    );
  }, [token, purpose]);
  return { token, ...state };
}

const READING = <Waiting text="Reading the link" />;
const NO_LINK = "This link does not work";
const signInLink = (text: string) => <Anchor href="/login">{text}</Anchor>;
const newPasswordLink = (text: string) => <Anchor href="/login/forgot">{text}</Anchor>;

/** The API keys of an account, for the owner of its mailbox. */
function KeysOfAccount({ keys }: Pick<EmailedToken, "keys">) {
  return (
    <Stack gap={4}>
      <Text size="sm">Active API keys of the account:</Text>
      <List size="sm">
        {keys.map(({ key_id, key_hint, mode, name, created_at, last_used_at }) => (
          <List.Item key={key_id}>
            <strong>{name}</strong> ({mode}, {key_hint}), created <Time at={created_at} />, last used{" "}
            <Time at={last_used_at} none="never" />
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** The page of the link in an email about the keys of an account that a provider's login has taken over. */
export function RevokeKeys() {
  const { token, account, error } = useEmailedToken("token", "revoke_keys");
  const [count, setCount] = useState<number>();
  const form = useSubmit(async () => {
    const { data } = await api.POST("/developers/emailed-tokens/revoke-keys", { body: { token } });
    setCount(data?.count);
  });
  if (count !== undefined) {
    const below = signInLink("Sign in to create new ones");
    return <AccountPage title="Your API keys are revoked" text={`Revoked keys: ${count}.`} below={below} />;
  }
  if (error !== undefined) {
    const text = "It was used before, is older than 7 days, or is incomplete.";
    return <AccountPage title={NO_LINK} text={text} below={signInLink("Sign in to revoke keys")} />;
  }
  if (account === undefined) return READING;
  if (account.keys.length === 0) {
    return <AccountPage title="Your account has no API keys" text="There is nothing to revoke." />;
  }
  return (
    <AccountPage title="Revoke your API keys" intro={account.email}>
      <SubmitForm form={form} action="Revoke all keys" isDangerous isWide>
        <KeysOfAccount keys={account.keys} />
        <Text size="sm">A revoked key stops working at once. To revoke single keys, {signInLink("sign in")}.</Text>
      </SubmitForm>
    </AccountPage>
  );
}

const EMAIL = { name: "email", label: "Email address", type: "email", autoComplete: "username", required: true };

export function ForgotPassword() {
  const [isSent, setSent] = useState(false);
  const form = useSubmit(async (fields) => {
    await api.POST("/developers/password/forgot", { body: { email: textOf(fields, "email") } });
    setSent(true);
  });
  const below = signInLink("Back to sign in");
  if (isSent) {
    const text = "If the address has an account, the email is on its way. Its link works once, for one hour.";
    return <AccountPage title="Check your mail" text={text} below={below} />;
  }
  const text = "If the address has an account, we send a link to it, with which you choose a new password.";
  return (
    <AccountPage title="Set a new password" text={text} below={below}>
      <SubmitForm form={form} action="Send me a link" isWide fields={[EMAIL]} />
    </AccountPage>
  );
}

const PASSWORD: Field = {
  ...{ name: "password", label: "New password", description: "12 to 128 characters" },
  ...{ input: "secret", autoComplete: "new-password", required: true, minLength: 12 },
};

/** The page of the link in a reset email. */
export function ResetPassword() {
  const { token, account, error } = useEmailedToken("token", "reset_password");
  const [isSet, setSet] = useState(false);
  const choice = account?.ownership_confirmed ? "revoke_keys" : "keep_keys";
  const hasKeys = account !== undefined && account.keys.length > 0;
  const form = useSubmit(async (fields) => {
    const keys = hasKeys && { [choice]: fields.has("keys") };
    await api.POST("/developers/password/reset", { body: { token, password: textOf(fields, "password"), ...keys } });
    setSet(true);
  });
  if (isSet) {
    return (
      <AccountPage title="Your password is set" text="All your sessions have ended.">
        <Button component="a" href="/login">
          Sign in with the new password
        </Button>
      </AccountPage>
    );
  }
  if (error !== undefined) {
    const again = newPasswordLink("Ask for a new one");
    return (
      <AccountPage title={NO_LINK} text="It was used before, is older than an hour, or is incomplete." below={again} />
    );
  }
  if (account === undefined) return READING;
  const keysLabel = {
    revoke_keys: "Revoke these API keys too",
    keep_keys: "Keep these API keys: I created all of them. Otherwise they are revoked.",
  };
  return (
    <AccountPage
      title="Choose a new password"
      intro={`For ${account.email}. This ends all your sessions.`}
      text={account.ownership_confirmed ? undefined : UNCONFIRMED}
    >
      <SubmitForm form={form} action="Set the password" isWide fields={[PASSWORD]}>
        {hasKeys && (
          <>
            <KeysOfAccount keys={account.keys} />
            <Checkbox name="keys" label={keysLabel[choice]} />
          </>
        )}
      </SubmitForm>
    </AccountPage>
  );
}

const UNCONFIRMED =
  "Purser does not know whether the owner of this mailbox created this account. Setting the password removes the account's second factor, linked logins and profile.";

/** The page of the link in a verification email. Opening it changes nothing, because mail scanners open links too. */
export function VerifyEmail({ done }: { readonly done: () => void }) {
  const { token, account, error } = useEmailedToken("verify", "verify_email");
  const [isVerified, setVerified] = useState(false);
  const form = useSubmit(async () => {
    await api.POST("/developers/verify-email", { body: { token } });
    setVerified(true);
  });
  if (error !== undefined) return <UnusableLink />;
  if (account === undefined) return READING;
  const { email, verified_at } = account;
  if (isVerified) {
    return (
      <AccountPage title="Your email address is verified" intro="Sign in to open your dashboard.">
        <SignInForm email={email} done={done} />
      </AccountPage>
    );
  }
  if (verified_at !== null) {
    return (
      <AccountPage title="This address is already verified" below={signInLink("Sign in")}>
        <Text size="sm">
          <strong>{email}</strong> was verified at <Time at={verified_at} />.
        </Text>
        <Text size="sm">
          If you did not verify it, or did not choose the password, {newPasswordLink("choose a new password")}. This
          ends all sessions of the account.
        </Text>
      </AccountPage>
    );
  }
  const text = `Someone signed up for Purser with ${email}. If it was you, verify the address. If it was not, close this page: nothing has changed.`;
  return (
    <AccountPage title="Verify your email address" text={text}>
      <SubmitForm form={form} action="Verify my email address" isWide />
    </AccountPage>
  );
}

function UnusableLink() {
  const text = "It is older than 24 hours or incomplete, or another signup with your address was verified.";
  return (
    <AccountPage title={NO_LINK} text={text} below={signInLink("Sign in")}>
      <List size="sm">
        <List.Item>If you have already verified your address, sign in.</List.Item>
        <List.Item>
          If you do not know the password, {newPasswordLink("choose a new one")}. This verifies the address too.
        </List.Item>
        <List.Item>After the sign-in you can ask for a new email.</List.Item>
      </List>
    </AccountPage>
  );
}
