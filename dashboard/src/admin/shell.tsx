import { Badge } from "@mantine/core";
import { AccountPage } from "../account/account-page.tsx";
import type { AdminIdentity } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { Frame } from "../ui/frame.tsx";
import {
  IconBuilding,
  IconHeartbeat,
  IconHistory,
  IconSnowflake,
  IconTool,
  IconUserCircle,
} from "../ui/icons/icons.ts";
import { SessionDialog } from "../ui/session-dialog.tsx";
import { type LoginCalls, SignInForm } from "../ui/sign-in-form.tsx";
import { Time } from "../ui/values.tsx";

const SECTIONS = [
  { to: "/", label: "Health", icon: IconHeartbeat },
  { to: "/developers", label: "Developers", icon: IconUserCircle },
  { to: "/kyb", label: "KYB queue", icon: IconBuilding },
  { to: "/wallets", label: "Wallet freezes", icon: IconSnowflake },
  { to: "/operations", label: "Stuck operations", icon: IconTool },
  { to: "/audit", label: "Audit trail", icon: IconHistory },
];

const LOGIN: LoginCalls = {
  sendPassword: async (body) => (await api.POST("/admin/login", { body })).data?.mfa_token,
  sendCode: (code, mfaToken = "") => api.POST("/admin/login/totp", { body: { mfa_token: mfaToken, code } }),
  codeHint: "Enter the code that your authenticator app shows. Each code works once.",
};

export function SignInPage({ done }: { done: () => void }) {
  return (
    <AccountPage title="Sign in as an admin" intro="For the operators of this server. A session lasts ten minutes.">
      <SignInForm calls={LOGIN} done={done} />
    </AccountPage>
  );
}

/** The frame of every screen for admins, with the dialog of an ended session. */
export function AdminShell({ admin }: { admin: AdminIdentity }) {
  const isSameUser = async () => (await api.GET("/admin/me")).data?.admin_id === admin.admin_id;
  const label = (
    <>
      {admin.email}, session ends <Time at={admin.expires_at} />
    </>
  );
  return (
    <>
      <Frame
        sections={SECTIONS}
        badge={
          <Badge variant="light" color="red" tt="none">
            Admin
          </Badge>
        }
        account={{ label, signOut: () => api.POST("/admin/logout", {}), signedOut: "/admin" }}
      />
      <SessionDialog calls={LOGIN} email={admin.email} isSameUser={isSameUser} home="/admin" />
    </>
  );
}
