import {
  ActionIcon,
  Alert,
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  SegmentedControl,
} from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch, IconUserCircle } from "@tabler/icons-react";
import { Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { ResendButton } from "../account/resend-button.tsx";
import { SessionDialog } from "../account/session-dialog.tsx";
import type { Developer } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ConnectionBanner } from "../ui/connection-banner.tsx";
import { Logo } from "../ui/logo.tsx";
import { type Mode, useLink, useMode } from "../ui/navigation.tsx";
import { SchemeButton } from "../ui/scheme-button.tsx";
import { CommandPalette, openPalette } from "./command-palette.tsx";
import { SECTIONS, type Section } from "./sections.tsx";

/** The frame of every screen: header, navigation, the banner of the mode, and the dialog of an ended session. */
export function Shell({ developer }: { readonly developer: Developer }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  useHotkeys([["mod+K", openPalette]]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Header developer={developer} isOpen={isOpen} toggle={toggle} />
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Screens">
        <AppShell.Section grow component={ScrollArea}>
          {SECTIONS.map((section) => (
            <SectionLink key={section.to} section={section} opened={close} />
          ))}
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main maw={1_400}>
        <ModeBanner />
        <ConnectionBanner />
        {!developer.email_verified && <VerifyBanner email={developer.email} />}
        <Outlet />
      </AppShell.Main>
      <CommandPalette />
      <SessionDialog developerId={developer.developer_id} email={developer.email} />
    </AppShell>
  );
}

function Header({
  developer,
  isOpen,
  toggle,
}: {
  readonly developer: Developer;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}) {
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
      <Group gap="xs" wrap="nowrap">
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
        <Logo />
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconSearch size={14} />}
          onClick={openPalette}
          visibleFrom="sm"
        >
          Search · Ctrl K
        </Button>
        <ModeSwitch />
        <SchemeButton />
        <AccountMenu developer={developer} />
      </Group>
    </Group>
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

function SectionLink({ section, opened }: { readonly section: Section; readonly opened: () => void }) {
  const { href, onClick } = useLink(section.to);
  const { pathname } = useLocation();
  const isActive = section.to === "/" ? pathname === href : pathname.startsWith(href);
  return (
    <NavLink
      component="a"
      href={href}
      label={section.label}
      leftSection={<section.icon size={18} />}
      rightSection={section.to === "/approvals" ? <PendingApprovals /> : undefined}
      active={isActive}
      aria-current={isActive ? "page" : undefined}
      onClick={(event) => {
        onClick(event);
        opened();
      }}
    />
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
