import { Anchor, Button, Loader, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { textOf, useSubmit } from "../ui/use-submit.ts";
import { solveCaptcha } from "./captcha.ts";

interface SignInFormProps {
  readonly email?: string;
  /** The token of a verification email: the login then also verifies the address. */
  readonly done: () => void;
}

/** Asks for email address and password, and then for the second factor if the account has one. */
export function SignInForm({ email = "", done }: SignInFormProps) {
  const [mfaToken, setMfaToken] = useState<string>();
  return mfaToken === undefined ? (
    <PasswordStep email={email} done={done} needsCode={setMfaToken} />
  ) : (
    <CodeStep mfaToken={mfaToken} done={done} startAgain={() => setMfaToken(undefined)} />
  );
}

function PasswordStep({ email, done, needsCode }: SignInFormProps & { readonly needsCode: (token: string) => void }) {
  const { error, isRunning, submit } = useSubmit(async (form) => {
    const body = { email: textOf(form, "email"), password: textOf(form, "password") };
    const { data } = await logIn(body);
    if (data !== undefined && "mfa_token" in data) needsCode(data.mfa_token);
    else done();
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          name="email"
          label="Email address"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
          autoFocus={email === ""}
        />
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          autoFocus={email !== ""}
        />
        <ProblemAlert error={wrongPassword(error)} />
        <Button type="submit" loading={isRunning}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** Logs in. After five failed logins from one network, the server asks for a captcha, which the browser solves. */
async function logIn(body: { readonly email: string; readonly password: string }) {
  try {
    return await api.POST("/developers/login", { body });
  } catch (thrown) {
    if (!(thrown instanceof RequestError) || thrown.fields["captcha_token"] === undefined) throw thrown;
    return api.POST("/developers/login", { body: { ...body, captcha_token: await solveCaptcha() } });
  }
}

function wrongPassword(error: unknown): unknown {
  const isWrong = error instanceof RequestError && error.status === 401;
  return isWrong
    ? new RequestError(401, { title: "Not signed in", detail: "The email address or the password is wrong." })
    : error;
}

/** `mfaToken` is absent after a login with a provider, which has left it in a cookie. */
export function CodeStep({
  mfaToken,
  done,
  startAgain,
}: {
  readonly mfaToken?: string;
  readonly done: () => void;
  readonly startAgain: () => void;
}) {
  const { error, isRunning, submit } = useSubmit(async (form) => {
    await api.POST("/developers/login/totp", {
      body: {
        code: textOf(form, "code").replaceAll(" ", ""),
        ...(mfaToken !== undefined && { mfa_token: mfaToken }),
      } as never,
    });
    done();
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">Enter the code that your authenticator app shows, or one of your recovery codes.</Text>
        <TextInput name="code" label="Code" autoComplete="one-time-code" spellCheck={false} required autoFocus />
        <ProblemAlert error={wrongCode(error)} />
        <Button type="submit" loading={isRunning}>
          Continue
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={startAgain}>
          Start again
        </Anchor>
      </Stack>
    </form>
  );
}

function wrongCode(error: unknown): unknown {
  const isWrong = error instanceof RequestError && error.status === 401;
  const detail = "The code is wrong or was used before. After five attempts or five minutes, start again.";
  return isWrong ? new RequestError(401, { title: "Not signed in", detail }) : error;
}

export function Waiting({ text }: { readonly text: string }) {
  return (
    <Stack align="center" role="status">
      <Loader />
      <Text size="sm">{text}</Text>
    </Stack>
  );
}
