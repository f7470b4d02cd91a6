import { ActionIcon, Alert, Badge, Button, Menu, SegmentedControl } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch, IconUserCircle } from "@tabler/icons-react";
import { useLocation, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ResendButton } from "../account/resend-button.tsx";
import { DeveloperSession } from "../account/session.tsx";
import type { Developer } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ConnectionBanner } from "../ui/connection-banner.tsx";
import { Frame } from "../ui/frame.tsx";
import { type Mode, useLink, useMode } from "../ui/navigation.tsx";
import { SchemeButton } from "../ui/scheme-button.tsx";
import { CommandPalette, openPalette } from "./command-palette.tsx";
import { SECTIONS } from "./sections.tsx";

/** The frame of every screen, with the banner of the mode, and the dialog of an ended session. */
export function Shell({ developer }: { readonly developer: Developer }) {
  useHotkeys([["mod+K", openPalette]]);
  // Another tab can sign in as someone else: the cookies are those of the browser. What this tab shows is then no longer theirs.
  const [owner] = useState(developer.developer_id);
  useEffect(() => {
    if (developer.developer_id !== owner) window.location.reload();
  }, [developer.developer_id, owner]);
  return (
    <>
      <Frame
        sections={SECTIONS.map((section) =>
          section.to === "/approvals" ? { ...section, note: <PendingApprovals /> } : section,
        )}
        tools={<Tools developer={developer} />}
        banners={
          <>
            <ModeBanner />
            <ConnectionBanner />
            {!developer.email_verified && <VerifyBanner email={developer.email} />}
          </>
        }
      />
      <CommandPalette />
      <DeveloperSession developer={developer} />
    </>
  );
}

function Tools({ developer }: { readonly developer: Developer }) {
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconSearch size={14} />} onClick={openPalette} visibleFrom="sm">
        Search · Ctrl K
      </Button>
      <ModeSwitch />
      <SchemeButton />
      <AccountMenu developer={developer} />
    </>
  );
}

/** Opens the same section in the other mode. An object of one mode does not exist in the other, so its id is left out. */
function ModeSwitch() {
  const mode = useMode();
  const { history } = useRouter();
  const { pathname } = useLocation();
  const section = pathname.split("/")[3];
  return (
    <SegmentedControl
      size="xs"
      aria-label="Mode"
      value={mode}
      onChange={(next) => history.push(`/dashboard/${next}${section === undefined ? "" : `/${section}`}`)}
      data={[
        { value: "test", label: "Test" },
        { value: "live", label: "Live" },
      ]}
    />
  );
}

const BANNERS: Readonly<Record<Mode, readonly [color: string, text: string]>> = {
  test: ["orange", "Test mode. No real money moves here."],
  live: ["green", "Live mode. Everything here is real money."],
};

function ModeBanner() {
  const [color, text] = BANNERS[useMode()];
  return (
    <Alert color={color} py={4} mb="md" role="note">
      {text}
    </Alert>
  );
}

function VerifyBanner({ email }: { readonly email: string }) {
  return (
    <Alert color="orange" mb="md" title="Verify your email address">
      Open the link in the email to {email}. Until then, only your profile works.
      <ResendButton email={email} />
    </Alert>
  );
}

function PendingApprovals() {
  const query = { status: "pending", limit: 100 } as const;
  const { data } = hooks.useQuery("get", "/approvals", { params: { query } }, { refetchInterval: 15_000 });
  const count = data?.data.length ?? 0;
  return count === 0 ? null : <Badge color="orange">{count}</Badge>;
}

function AccountMenu({ developer }: { readonly developer: Developer }) {
  const settings = useLink("/settings");
  const logOut = async () => {
    await api.POST("/developers/logout", {}).catch(() => undefined);
    window.location.assign("/login");
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Account">
          <IconUserCircle size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{developer.email}</Menu.Label>
        <Menu.Item component="a" {...settings}>
          Settings
        </Menu.Item>
        <Menu.Item component="a" href="/docs">
          API reference
        </Menu.Item>
        <Menu.Item onClick={logOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
