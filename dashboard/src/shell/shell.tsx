import "@mantine/spotlight/styles.css";
import { Alert, Badge, Box, Button, Menu, SegmentedControl } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Spotlight, spotlight } from "@mantine/spotlight";
import { useLocation, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { ResendButton } from "../account/resend-button.tsx";
import { DeveloperSession } from "../account/session.tsx";
import type { Developer } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { ownerState } from "../api/session.ts";
import { Frame, type Section } from "../ui/frame.tsx";
import {
  IconBolt,
  IconBox,
  IconBuildingBank,
  IconClipboardCheck,
  IconHistory,
  IconHome,
  IconKey,
  IconListSearch,
  IconLock,
  IconReceipt,
  IconRobot,
  IconSearch,
  IconSettings,
  IconShieldCheck,
  IconWallet,
  IconWebhook,
} from "../ui/icons/icons.ts";
import { useAgents, usePolicies, useProjects, useWallets } from "../ui/names.tsx";
import { useGo, useLink, useMode } from "../ui/navigation.tsx";

/** The frame of every screen, with the banner of the mode, and the dialog of an ended session. */
export function Shell({ developer }: { readonly developer: Developer }) {
  useHotkeys([["mod+K", openPalette]], []);
  // Before any screen is read. If another tab signs in as someone else, the server refuses the next call of this one.
  ownerState.set(developer.developer_id);
  return (
    <>
      <Frame
        sections={SECTIONS.map((one) => (one.to === "/approvals" ? { ...one, note: <PendingApprovals /> } : one))}
        tools={<Tools />}
        account={{
          label: developer.email,
          items: <AccountItems />,
          signOut: () => api.POST("/developers/logout", {}),
          signedOut: "/login",
        }}
        banners={<Banners developer={developer} />}
      />
      <CommandPalette />
      <DeveloperSession developer={developer} />
    </>
  );
}

/** The search, and the switch that opens the same section in the other mode. An object of one mode does not exist in the other. */
function Tools() {
  const { history } = useRouter();
  const section = useLocation().pathname.split("/")[3];
  return (
    <>
      <Button variant="default" size="xs" aria-label="Search · Ctrl K" onClick={openPalette}>
        <IconSearch size={14} />
        <Box component="span" ml={6} visibleFrom="sm">
          Search · Ctrl K
        </Box>
      </Button>
      <SegmentedControl
        size="xs"
        aria-label="Mode"
        value={useMode()}
        onChange={(next) => history.push(`/dashboard/${next}${section === undefined ? "" : `/${section}`}`)}
        data={[
          { value: "test", label: "Test" },
          { value: "live", label: "Live" },
        ]}
      />
    </>
  );
}

function Banners({ developer: { email, email_verified } }: { readonly developer: Developer }) {
  const isTest = useMode() === "test";
  return (
    <>
      <Alert color={isTest ? "orange" : "green"} py={4} mb="md" role="note">
        {isTest ? "Test mode. No real money moves here." : "Live mode. Everything here is real money."}
      </Alert>
      {!email_verified && (
        <Alert color="orange" mb="md" title="Verify your email address">
          Open the link in the email to {email}. Until then, only your profile works.
          <ResendButton email={email} />
        </Alert>
      )}
    </>
  );
}

function PendingApprovals() {
  const query = { status: "pending", limit: 100 } as const;
  const { data } = hooks.useQuery("get", "/approvals", { params: { query } }, { refetchInterval: 15_000 });
  const count = data?.data.length ?? 0;
  return count > 0 && <Badge color="orange">{data?.has_more ? `${count}+` : count}</Badge>;
}

function AccountItems() {
  return (
    <>
      <Menu.Item component="a" {...useLink("/settings")}>
        Settings
      </Menu.Item>
      <Menu.Item component="a" href="/docs/">
        Documents
      </Menu.Item>
    </>
  );
}

/** The screens of objects, by the prefix of their ids. */
const SCREENS_OF_IDS: readonly (readonly [pattern: RegExp, path: string])[] = [
  [/^proj_\w+$/, "/projects/"],
  [/^pay_\w+$/, "/payments/"],
  [/^wal_\w+$/, "/wallets/"],
  [/^pol_\w+$/, "/policies/"],
  [/^apr_\w+$/, "/approvals/"],
  [/^conv_\w+$/, "/fiat/conversions/"],
  [/^wh_\w+$/, "/webhooks/"],
  [/^kill_\w+$/, "/kill-switch/"],
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "/agents/"],
];

/** Not over a dialog, which would close with what was typed there. */
const openPalette = () => document.querySelector("[aria-modal=true]") ?? spotlight.open();

/** The newest objects that have names, and their screens. They are read with the first letter that is typed. */
function useNamedObjects(enabled: boolean): readonly { readonly label: string; readonly to: string }[] {
  const lists = {
    ...{ projects: useProjects(enabled), agents: useAgents(enabled), wallets: useWallets(enabled) },
    policies: usePolicies(enabled) ?? [],
  };
  return Object.entries(lists).flatMap(([path, options]) =>
    options.map(({ value, label }) => ({ label, to: `/${path}/${value}` })),
  );
}

/** Ctrl-K: opens a screen or an object by its name, or an object by its id. */
function CommandPalette() {
  const go = useGo();
  const [query, setQuery] = useState("");
  const id = query.trim();
  const screen = SCREENS_OF_IDS.find(([pattern]) => pattern.test(id));
  const object = screen && [
    { id: "object", label: `Open ${id}`, keywords: [id], onClick: () => go(`${screen[1]}${id}`) },
  ];
  const named = useNamedObjects(id !== "").map(({ label, to }) => ({ id: to, label, onClick: () => go(to) }));
  const screens = SECTIONS.map(({ to, label, icon: Icon }) => ({
    id: to,
    label,
    leftSection: <Icon size={18} />,
    onClick: () => go(to),
  }));
  return (
    <Spotlight
      actions={[...(object ?? []), ...screens, ...(id === "" ? [] : named)]}
      limit={20}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      nothingFound="Nothing found. Type the name of a screen or an object, or paste an id."
      searchProps={{ placeholder: "A screen, an object or its id", "aria-label": "Search" }}
    />
  );
}

const SECTIONS: readonly Section[] = [
  { to: "/", label: "Overview", icon: IconHome },
  { to: "/projects", label: "Projects", icon: IconBox },
  { to: "/agents", label: "Agents", icon: IconRobot },
  { to: "/policies", label: "Policies", icon: IconShieldCheck },
  { to: "/approvals", label: "Approvals", icon: IconClipboardCheck },
  { to: "/payments", label: "Payments", icon: IconReceipt },
  { to: "/wallets", label: "Wallets", icon: IconWallet },
  { to: "/fiat", label: "Fiat", icon: IconBuildingBank },
  { to: "/keys", label: "API keys", icon: IconKey },
  { to: "/provider-keys", label: "Provider keys", icon: IconLock },
  { to: "/webhooks", label: "Webhooks", icon: IconWebhook },
  { to: "/requests", label: "Request log", icon: IconListSearch },
  { to: "/audit", label: "Audit trail", icon: IconHistory },
  { to: "/kill-switch", label: "Kill switch", icon: IconBolt },
  { to: "/settings", label: "Settings", icon: IconSettings },
];
