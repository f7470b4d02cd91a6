import { Anchor, PasswordInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { RequestError } from "../api/problem.ts";
import { SubmitForm } from "./forms/submit-form.tsx";
import { textOf, useSubmit } from "./forms/use-submit.ts";

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
  const form = useSubmit(async (fields) => {
    const token = await calls.sendPassword({ email: textOf(fields, "email"), password: textOf(fields, "password") });
    if (token === undefined) await done();
    else needsCode(token);
  });
  const error = refused(form.error, "The email address or the password is wrong.");
  const isKnown = email !== "";
  return (
    <SubmitForm form={{ ...form, error }} action="Sign in" isWide>
      <TextInput
        {...{ name: "email", label: "Email address", type: "email", autoComplete: "username", required: true }}
        defaultValue={email}
        autoFocus={!isKnown}
      />
      <PasswordInput
        {...{ name: "password", label: "Password", autoComplete: "current-password", required: true }}
        {...(isKnown && { autoFocus: true, "data-autofocus": true })}
      />
    </SubmitForm>
  );
}

/** `mfaToken` is absent after a login with a provider, which has left it in a cookie. */
export function CodeStep({
  calls,
  mfaToken,
  done,
  startAgain,
}: SignInFormProps & { readonly mfaToken?: string; readonly startAgain: () => void }) {
  const form = useSubmit(async (fields) => {
    await calls.sendCode(textOf(fields, "code").replaceAll(" ", ""), mfaToken);
    await done();
  });
  const wrong = "The code is wrong or was used before. After five attempts or five minutes, start again.";
  return (
    <>
      <SubmitForm form={{ ...form, error: refused(form.error, wrong) }} action="Continue" isWide>
        <Text size="sm">{calls.codeHint}</Text>
        <TextInput name="code" label="Code" autoComplete="one-time-code" spellCheck={false} required autoFocus />
      </SubmitForm>
      <Anchor component="button" type="button" size="sm" onClick={startAgain}>
        Start again
      </Anchor>
    </>
  );
}

/** The API gives no reason for a 401. The form knows what was asked. */
function refused(error: unknown, detail: string): unknown {
  const isRefused = error instanceof RequestError && error.status === 401;
  return isRefused ? new RequestError(401, { title: "Not signed in", detail }) : error;
}
