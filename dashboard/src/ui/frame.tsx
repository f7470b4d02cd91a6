import { ActionIcon, AppShell, Burger, Group, Menu, NavLink, ScrollArea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useLocation } from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";
import { ConnectionBanner } from "./connection-banner.tsx";
import { IconUserCircle } from "./icons/icons.ts";
import { Logo } from "./logo.tsx";
import { useLink } from "./navigation.tsx";
import { SchemeButton } from "./scheme-button.tsx";

/** A group of screens with its own entry in the navigation. */
export interface Section {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  /** What is shown beside the label. */
  readonly note?: ReactNode;
}

interface AccountProps {
  readonly label: ReactNode;
  readonly items?: ReactNode;
  readonly signOut: () => Promise<unknown>;
  /** The page that is opened then. */
  readonly signedOut: string;
}

interface FrameProps {
  readonly sections: readonly Section[];
  /** What is said beside the logo. */
  readonly badge?: ReactNode;
  /** The right part of the header, before the menu of the account. */
  readonly tools?: ReactNode;
  readonly account: AccountProps;
  readonly banners?: ReactNode;
}

/** The frame of every screen: header, navigation, and the screen below the banners. */
export function Frame({ sections, badge, tools, account, banners }: FrameProps) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a href="#content" className="skip">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Logo />
            {badge}
          </Group>
          <Group gap="xs" wrap="nowrap">
            {tools}
            <SchemeButton />
            <AccountMenu {...account} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Screens">
        <AppShell.Section grow component={ScrollArea}>
          {sections.map((section) => (
            <SectionLink key={section.to} section={section} opened={close} />
          ))}
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main maw={1_400} id="content" tabIndex={-1}>
        <ConnectionBanner />
        {banners}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function SectionLink({ section, opened }: { section: Section; opened: () => void }) {
  const { href, onClick } = useLink(section.to);
  const { pathname } = useLocation();
  const isActive = section.to === "/" ? pathname === href : pathname.startsWith(href);
  return (
    <NavLink
      {...{ component: "a", variant: "light", href, label: section.label, active: isActive }}
      leftSection={<section.icon size={18} />}
      rightSection={section.note}
      aria-current={isActive ? "page" : undefined}
      onClick={(event) => {
        onClick(event);
        opened();
      }}
    />
  );
}

function AccountMenu({ label, items, signOut, signedOut }: AccountProps) {
  const leave = () =>
    signOut()
      .catch(() => undefined)
      .then(() => window.location.assign(signedOut));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Account">
          <IconUserCircle size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{label}</Menu.Label>
        {items}
        <Menu.Item onClick={leave}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
