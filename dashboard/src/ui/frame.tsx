import { AppShell, Burger, Group, NavLink, ScrollArea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useLocation } from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";
import { Logo } from "./logo.tsx";
import { useLink } from "./navigation.tsx";

/** A group of screens with its own entry in the navigation. */
export interface Section {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  /** What is shown beside the label. */
  readonly note?: ReactNode;
}

interface FrameProps {
  readonly sections: readonly Section[];
  readonly logo?: ReactNode;
  /** The right part of the header. */
  readonly tools: ReactNode;
  readonly banners: ReactNode;
}

/** The frame of every screen: header, navigation, and the screen below the banners. */
export function Frame({ sections, logo = <Logo />, tools, banners }: FrameProps) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            {logo}
          </Group>
          <Group gap="xs" wrap="nowrap">
            {tools}
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
      <AppShell.Main maw={1_400}>
        {banners}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function SectionLink({ section, opened }: { readonly section: Section; readonly opened: () => void }) {
  const { href, onClick } = useLink(section.to);
  const { pathname } = useLocation();
  const isActive = section.to === "/" ? pathname === href : pathname.startsWith(href);
  return (
    <NavLink
      component="a"
      variant="light"
      href={href}
      label={section.label}
      leftSection={<section.icon size={18} />}
      rightSection={section.note}
      active={isActive}
      aria-current={isActive ? "page" : undefined}
      onClick={(event) => {
        onClick(event);
        opened();
      }}
    />
  );
}
