import { AccountPage } from "../account/account-page.tsx";
import { api } from "../api/client.ts";
import { type LoginCalls, SignInForm } from "../ui/sign-in-form.tsx";

export const ADMIN_LOGIN: LoginCalls = {
  sendPassword: async (body) => (await api.POST("/admin/login", { body })).data?.mfa_token,
  sendCode: (code, mfaToken = "") => api.POST("/admin/login/totp", { body: { mfa_token: mfaToken, code } }),
  codeHint: "Enter the code that your authenticator app shows. Each code works once.",
};

export function SignInPage({ done }: { readonly done: () => void }) {
  return (
    <AccountPage title="Sign in as an admin" intro="For the operators of this server. A session lasts ten minutes.">
      <SignInForm calls={ADMIN_LOGIN} done={done} />
    </AccountPage>
  );
}
