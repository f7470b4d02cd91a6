import { Group, TextInput } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { formatName } from "../format.ts";
import { ObjectSelect } from "../forms/fields.tsx";
import type { Option } from "../names.tsx";
import { AppLink, useFilters, useLink } from "../navigation.tsx";

/** A label, and what the filter takes: one of some values, a text, or a day. Names such as `needs_operator` are shown as words. */
type Field = readonly [label: string, kind: readonly (string | Option)[] | "text" | "date", placeholder?: string];

const LOOK = { size: "xs", style: { flex: "1 1 9rem", maxWidth: "16rem" } } as const;

/** The filters of a list, by their names in the URL and in the query of the API: `useListFilters({ status: ["Status", STATUSES] })`. */
export function useListFilters<const Name extends string>(fields: Readonly<Record<Name, Field>>) {
  const { values, set } = useFilters(...(Object.keys(fields) as Name[]));
  const { pathname } = useLocation();
  const base = useLink("/").href;
  const isFiltered = Object.keys(values).length > 0;
  const bar = (
    <Group component="search" aria-label="Filters" gap="xs" align="end">
      {Object.entries<Field>(fields).map(([key, [label, kind, placeholder = "Any"]]) => {
        const common = { ...LOOK, label, placeholder };
        const value = values[key as Name];
        const change = (next: string | null) => set(key as Name, next);
        if (typeof kind === "string") return <Typed key={key} {...common} type={kind} value={value} set={change} />;
        const data = kind.map((one) => (typeof one === "string" ? { value: one, label: formatName(one) } : one));
        return <ObjectSelect key={key} {...common} data={data} value={value ?? null} onChange={change} />;
      })}
      {isFiltered && (
        <AppLink to={pathname.slice(base.length)} size="sm" pb={6}>
          Clear filters
        </AppLink>
      )}
    </Group>
  );
  // The API checks the values that are in the URL: its error is shown.
  return { values, query: { limit: 50, ...(values as { readonly [Key in Name]?: never }) }, isFiltered, bar };
}

interface TypedProps {
  readonly label: string;
  readonly placeholder: string;
  readonly type: "text" | "date";
  readonly value: string | undefined;
  readonly set: (value: string) => void;
}

/** A text is applied by Enter or by leaving the field, a date as soon as it is complete. */
function Typed({ value = "", set, ...props }: TypedProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = (next: string) => next.trim() !== value && set(next.trim());
  return (
    <TextInput
      {...{ ...props, value: text, maxLength: 200 }}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        // While a year is typed, it begins with zeros.
        if (props.type === "date" && (currentTarget.value === "" || currentTarget.value > "1"))
          apply(currentTarget.value);
      }}
      onBlur={() => apply(text)}
      onKeyDown={({ key }) => key === "Enter" && apply(text)}
    />
  );
}
