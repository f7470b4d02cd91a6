import { Stack, Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useFilters } from "./navigation.tsx";

interface ScreenTabsProps {
  /** The first tab is open if the URL names none: `?tab=billing`. */
  readonly tabs: Readonly<Record<string, readonly [label: string, content: ReactNode]>>;
  /** The filters that all tabs share. */
  readonly shared?: readonly string[];
}

/** The parts of a screen, of which one is shown. */
export function ScreenTabs({ tabs, shared = [] }: ScreenTabsProps) {
  const { values, set } = useFilters("tab", ...shared);
  const [first = ""] = Object.keys(tabs);
  const open = values.tab !== undefined && Object.hasOwn(tabs, values.tab) ? values.tab : first;
  return (
    <Tabs value={open} onChange={(tab) => set("tab", tab === first ? null : tab)} keepMounted={false}>
      <Tabs.List mb="md">
        {Object.entries(tabs).map(([tab, [label]]) => (
          <Tabs.Tab key={tab} value={tab}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open}>
        <Stack>{tabs[open]?.[1]}</Stack>
      </Tabs.Panel>
    </Tabs>
  );
}
