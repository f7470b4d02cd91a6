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

/** The colours of Google's buttons: https://developers.google.com/identity/branding-guidelines. GitHub's has them too. */
const BUTTON_COLORS = {
  "--button-bg": "light-dark(#ffffff, #131314)",
  "--button-bd": "1px solid light-dark(#747775, #8e918f)",
  "--button-color": "light-dark(#1f1f1f, #e3e3e3)",
} as const;

/** Links that log in at a provider. The server answers with a redirect. */
export function ProviderButtons({ providers }: { readonly providers: readonly string[] }) {
  if (providers.length === 0) return null;
  return (
    <Stack gap="xs">
      <Divider label="or" />
      {providers.map((provider) => (
        <Button
          key={provider}
          component="a"
          href={`/login/${provider}`}
          variant="default"
          vars={() => ({ root: BUTTON_COLORS })}
          leftSection={provider === "google" ? <GoogleMark /> : <GitHubMark />}
        >
          Continue with {PROVIDERS[provider] ?? provider}
        </Button>
      ))}
    </Stack>
  );
}

/** GitHub's mark: https://brand.github.com/foundations/logo. */
function GitHubMark() {
  return (
    <svg viewBox="0 0 16 16" width={18} height={18} fill="currentColor" aria-hidden="true">
      <path d="M8 0C3.58 0 0 3.58 0 8c0 3.54 2.29 6.53 5.47 7.59.4.07.55-.17.55-.38 0-.19-.01-.82-.01-1.49-2.01.37-2.53-.49-2.69-.94-.09-.23-.48-.94-.82-1.13-.28-.15-.68-.52-.01-.53.63-.01 1.08.58 1.23.82.72 1.21 1.87.87 2.33.66.07-.52.28-.87.51-1.07-1.78-.2-3.64-.89-3.64-3.95 0-.87.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.21 2.2.82.64-.18 1.32-.27 2-.27.68 0 1.36.09 2 .27 1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48 0 1.07-.01 1.93-.01 2.2 0 .21.15.46.55.38A8.013 8.013 0 0 0 16 8c0-4.42-3.58-8-8-8z" />
    </svg>
  );
}

/** Google's mark, in its colours: https://developers.google.com/identity/branding-guidelines. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 48 48" width={18} height={18} aria-hidden="true">
      <path
        fill="#EA4335"
        d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"
      />
      <path
        fill="#4285F4"
        d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"
      />
      <path
        fill="#FBBC05"
        d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"
      />
      <path
        fill="#34A853"
        d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"
      />
    </svg>
  );
}
