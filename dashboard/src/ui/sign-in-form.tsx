import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { RequestError } from "../api/problem.ts";
import { textOf, useSubmit } from "./forms/use-submit.ts";
import { ProblemAlert } from "./problem-alert.tsx";

/** The calls of a login in two steps. */
export interface LoginCalls {
  /** Returns the token for the second step. Undefined if there is none: the user is then logged in. */
  readonly sendPassword: (body: { readonly email: string; readonly password: string }) => Promise<string | undefined>;
  readonly sendCode: (code: string, mfaToken: string | undefined) => Promise<unknown>;
  /** What the code is. */
  readonly codeHint: string;
}

interface SignInFormProps {
  readonly calls: LoginCalls;
  readonly email?: string;
  /** Continues after the login. The form shows its error. */
  readonly done: () => unknown;
}

/** Asks for email address and password, and then for the second factor if the account has one. */
export function SignInForm(props: SignInFormProps) {
  const [mfaToken, setMfaToken] = useState<string>();
  return mfaToken === undefined ? (
    <PasswordStep {...props} needsCode={setMfaToken} />
  ) : (
    <CodeStep {...props} mfaToken={mfaToken} startAgain={() => setMfaToken(undefined)} />
  );
}

function PasswordStep({
  calls,
  email = "",
  done,
  needsCode,
}: SignInFormProps & { readonly needsCode: (token: string) => void }) {
  const { error, isRunning, submit } = useSubmit(async (form) => {
    const token = await calls.sendPassword({ email: textOf(form, "email"), password: textOf(form, "password") });
    if (token === undefined) await done();
    else needsCode(token);
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
        <ProblemAlert error={refused(error, "The email address or the password is wrong.")} />
        <Button type="submit" loading={isRunning}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** `mfaToken` is absent after a login with a provider, which has left it in a cookie. */
export function CodeStep({
  calls,
  mfaToken,
  done,
  startAgain,
}: SignInFormProps & { readonly mfaToken?: string; readonly startAgain: () => void }) {
  const { error, isRunning, submit } = useSubmit(async (form) => {
    await calls.sendCode(textOf(form, "code").replaceAll(" ", ""), mfaToken);
    await done();
  });
  const wrong = "The code is wrong or was used before. After five attempts or five minutes, start again.";
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{calls.codeHint}</Text>
        <TextInput name="code" label="Code" autoComplete="one-time-code" spellCheck={false} required autoFocus />
        <ProblemAlert error={refused(error, wrong)} />
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

/** The API gives no reason for a 401. The form knows what was asked. */
function refused(error: unknown, detail: string): unknown {
  const isRefused = error instanceof RequestError && error.status === 401;
  return isRefused ? new RequestError(401, { title: "Not signed in", detail }) : error;
}
