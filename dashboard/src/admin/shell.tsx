import { ActionIcon, Badge, Menu } from "@mantine/core";
import { IconBuilding, IconHeartbeat, IconHistory, IconSnowflake, IconTool, IconUserCircle } from "@tabler/icons-react";
import type { AdminIdentity } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ConnectionBanner } from "../ui/connection-banner.tsx";
import { Frame } from "../ui/frame.tsx";
import { Logo } from "../ui/logo.tsx";
import { SchemeButton } from "../ui/scheme-button.tsx";
import { SessionDialog } from "../ui/session-dialog.tsx";
import { Time } from "../ui/values.tsx";
import { ADMIN_LOGIN } from "./sign-in.tsx";

const SECTIONS = [
  { to: "/", label: "Health", icon: IconHeartbeat },
  { to: "/developers", label: "Developers", icon: IconUserCircle },
  { to: "/kyb", label: "KYB queue", icon: IconBuilding },
  { to: "/wallets", label: "Wallet freezes", icon: IconSnowflake },
  { to: "/operations", label: "Stuck operations", icon: IconTool },
  { to: "/audit", label: "Audit trail", icon: IconHistory },
];

/** The frame of every screen for admins, with the dialog of an ended session. */
export function AdminShell({ admin }: { readonly admin: AdminIdentity }) {
  const isSameUser = async () => (await api.GET("/admin/me")).data?.admin_id === admin.admin_id;
  return (
    <>
      <Frame
        sections={SECTIONS}
        logo={
          <>
            <Logo />
            <Badge variant="light" color="red" tt="none">
              Admin
            </Badge>
          </>
        }
        tools={
          <>
            <SchemeButton />
            <AccountMenu admin={admin} />
          </>
        }
        banners={<ConnectionBanner />}
      />
      <SessionDialog calls={ADMIN_LOGIN} email={admin.email} isSameUser={isSameUser} home="/admin" />
    </>
  );
}

function AccountMenu({ admin }: { readonly admin: AdminIdentity }) {
  const signOut = async () => {
    await api.POST("/admin/logout", {}).catch(() => undefined);
    window.location.assign("/admin");
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Account">
          <IconUserCircle size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {admin.email}, session ends <Time at={admin.expires_at} />
        </Menu.Label>
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
