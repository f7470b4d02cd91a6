import "@mantine/spotlight/styles.css";
import { Spotlight, spotlight } from "@mantine/spotlight";
import { useState } from "react";
import { useGo } from "../ui/navigation.tsx";
import { SECTIONS } from "./sections.tsx";

/** The screens of objects, by the prefix of their ids. */
const SCREENS_OF_IDS: readonly (readonly [pattern: RegExp, path: string])[] = [
  [/^proj_\w+$/, "/projects/"],
  [/^pay_\w+$/, "/payments/"],
  [/^wal_\w+$/, "/wallets/"],
  [/^pol_\w+$/, "/policies/"],
  [/^apr_\w+$/, "/approvals/"],
  [/^conv_\w+$/, "/fiat/conversions/"],
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "/agents/"],
];

export const openPalette = spotlight.open;

/** Ctrl-K: opens a screen by its name, or an object by its id. */
export function CommandPalette() {
  const go = useGo();
  const [query, setQuery] = useState("");
  const id = query.trim();
  const screen = SCREENS_OF_IDS.find(([pattern]) => pattern.test(id));
  const object = screen && [
    { id: "object", label: `Open ${id}`, keywords: [id], onClick: () => go(`${screen[1]}${id}`) },
  ];
  const screens = SECTIONS.map(({ to, label, icon: Icon }) => ({
    id: to,
    label,
    leftSection: <Icon size={18} />,
    onClick: () => go(to),
  }));
  return (
    <Spotlight
      actions={[...(object ?? []), ...screens]}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      nothingFound="Nothing found. Paste an id, or type the name of a screen."
      searchProps={{ placeholder: "A screen, or the id of an object", "aria-label": "Search" }}
    />
  );
}
