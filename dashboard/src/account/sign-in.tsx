import { Alert, Anchor, Button, Divider, Stack } from "@mantine/core";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { hooks } from "../api/client.ts";
import { signedIn } from "../api/session.ts";
import { CodeStep } from "../ui/sign-in-form.tsx";
import { AccountPage } from "./account-page.tsx";
import { VerifyEmail } from "./emailed-links.tsx";
import { rememberNext, takeNext } from "./next-page.ts";
import { DEVELOPER_LOGIN, SignInForm } from "./sign-in-form.tsx";

const PROVIDERS: Readonly<Record<string, string>> = { github: "GitHub", google: "Google" };

/** Why a login with a provider failed, by the code in the URL. The URL's own text is never shown. */
const FAILURES: Readonly<Record<string, (provider: string) => string>> = {
  authentication_failed: (name) =>
    `${name} did not confirm your identity, has not verified your email address, or the account is not active.`,
  invalid_state: () =>
    "This login is unknown, expired or already used, or was started in another browser. Start again.",
  conflict: (name) =>
    `Your account is already linked to another ${name} account, or this ${name} account is linked to another account. Sign in with the linked one.`,
  provider_unavailable: (name) => `${name} cannot be reached. Try again in a minute.`,
  rate_limited: () => "Too many logins were started from your network. Wait a minute, then try again.",
};

export function SignIn() {
  const [isVerification] = useState(() => new URLSearchParams(window.location.search).has("verify"));
  const finish = useFinish();
  return isVerification ? <VerifyEmail done={finish} /> : <SignInPage />;
}

function SignInPage() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const finish = useFinish();
  const profile = hooks.useQuery("get", "/developers/dashboard/me", {}, { retry: false });
  const options = hooks.useQuery("get", "/developers/login-options");
  useEffect(() => rememberNext(search["next"]), [search["next"]]);
  useEffect(() => {
    if (profile.data !== undefined) finish();
  }, [profile.data, finish]);
  const provider = PROVIDERS[search["provider"] ?? ""];
  const failure = provider && FAILURES[search["outcome"] ?? ""]?.(provider);
  return (
    <AccountPage
      title="Sign in to Purser"
      below={
        <>
          No account yet? <Anchor href="/signup">Sign up</Anchor>
        </>
      }
    >
      {search["verified"] === "1" && <Alert color="teal">Your email address is verified. Sign in to continue.</Alert>}
      {failure !== undefined && failure !== "" && (
        <Alert color="red" role="alert" title={`You are not signed in with ${provider}`}>
          {failure}
        </Alert>
      )}
      <SignInForm done={finish} />
      <Anchor href="/login/forgot" size="sm">
        Forgot your password?
      </Anchor>
      <ProviderButtons providers={options.data?.identity_providers ?? []} />
    </AccountPage>
  );
}

/** The second step of a login with a provider. */
export function SecondFactor() {
  const finish = useFinish();
  const { history } = useRouter();
  return (
    <AccountPage title="Enter your code">
      <CodeStep calls={DEVELOPER_LOGIN} done={finish} startAgain={() => history.push("/login")} />
    </AccountPage>
  );
}

function useFinish(): () => void {
  const { history } = useRouter();
  return useCallback(() => {
    signedIn();
    history.replace(takeNext());
  }, [history]);
}

/** Links that log in at a provider. The server answers with a redirect. */
export function ProviderButtons({ providers }: { readonly providers: readonly string[] }) {
  if (providers.length === 0) return null;
  return (
    <Stack gap="xs">
      <Divider label="or" />
      {providers.map((provider) => (
        <Button key={provider} component="a" href={`/login/${provider}`} variant="default">
          Continue with {PROVIDERS[provider] ?? provider}
        </Button>
      ))}
    </Stack>
  );
}
