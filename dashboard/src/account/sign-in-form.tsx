import { Loader, Stack, Text } from "@mantine/core";
import { api } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { type LoginCalls, SignInForm as LoginForm } from "../ui/sign-in-form.tsx";
import { solveCaptcha } from "./captcha.ts";

export const DEVELOPER_LOGIN: LoginCalls = {
  sendPassword: async (body) => {
    const { data } = await logIn(body);
    return data !== undefined && "mfa_token" in data ? data.mfa_token : undefined;
  },
  sendCode: (code, mfaToken) =>
    api.POST("/developers/login/totp", {
      body: { code, ...(mfaToken !== undefined && { mfa_token: mfaToken }) } as never,
    }),
  codeHint: "Enter the code that your authenticator app shows, or one of your recovery codes.",
};

export function SignInForm(props: { readonly email?: string; readonly done: () => void }) {
  return <LoginForm calls={DEVELOPER_LOGIN} {...props} />;
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

export function Waiting({ text }: { readonly text: string }) {
  return (
    <Stack align="center" role="status">
      <Loader />
      <Text size="sm">{text}</Text>
    </Stack>
  );
}
