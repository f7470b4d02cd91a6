import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { textOf, useSubmit } from "../ui/forms/use-submit.ts";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { AccountPage } from "./account-page.tsx";
import { solveCaptcha } from "./captcha.ts";
import { ResendButton } from "./resend-button.tsx";
import { ProviderButtons } from "./sign-in.tsx";

export function SignUp() {
  const [email, setEmail] = useState<string>();
  const options = hooks.useQuery("get", "/developers/login-options");
  if (email !== undefined) return <CheckMail email={email} />;
  return (
    <AccountPage
      title="Create your account"
      intro="Purser keeps your agents' money and services: budgets, approvals, wallets and keys in one place."
      below={
        <>
          Already have an account? <Anchor href="/login">Sign in</Anchor>
        </>
      }
    >
      <SignUpForm done={setEmail} />
      <ProviderButtons providers={options.data?.identity_providers ?? []} />
    </AccountPage>
  );
}

function SignUpForm({ done }: { readonly done: (email: string) => void }) {
  const { error, isRunning, submit } = useSubmit(async (form) => {
    const email = textOf(form, "email");
    const name = textOf(form, "name");
    const captcha_token = await solveCaptcha();
    const body = { email, password: textOf(form, "password"), captcha_token, ...(name !== "" && { name }) };
    const { data } = await api.POST("/developers/signup", { body });
    done(data?.email ?? email);
  });
  const fields = error instanceof RequestError ? error.fields : {};
  const hasField = "email" in fields || "password" in fields || "name" in fields;
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="name" label="Name" autoComplete="name" maxLength={100} error={fields["name"]} />
        <TextInput
          name="email"
          label="Email address"
          type="email"
          autoComplete="username"
          required
          error={fields["email"]}
        />
        <PasswordInput
          name="password"
          label="Password"
          description="12 to 128 characters"
          autoComplete="new-password"
          required
          minLength={12}
          error={fields["password"]}
        />
        {!hasField && <ProblemAlert error={error} />}
        <Button type="submit" loading={isRunning}>
          Sign up
        </Button>
      </Stack>
    </form>
  );
}

function CheckMail({ email }: { readonly email: string }) {
  return (
    <AccountPage title="Check your mail" below={<Anchor href="/login">Back to sign in</Anchor>}>
      <Text size="sm">
        We sent an email to <strong>{email}</strong>. Open the link in it to verify your address. The link works for 24
        hours.
      </Text>
      <ResendButton email={email} />
    </AccountPage>
  );
}
