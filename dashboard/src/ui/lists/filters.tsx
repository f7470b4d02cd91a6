import { Group, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { ObjectSelect } from "../forms/fields.tsx";
import type { Option } from "../names.tsx";
import { AppLink, type useFilters } from "../navigation.tsx";

/** A label, and what the filter takes: one of some values, a text, or a day. */
type Field = readonly [label: string, kind: readonly (string | Option)[] | "text" | "date", placeholder?: string];

interface FilterBarProps<Name extends string> {
  readonly filters: ReturnType<typeof useFilters<Name>>;
  readonly fields: Readonly<Record<Name, Field>>;
  /** The path of the list, for the link that clears all filters. */
  readonly path: string;
}

const LOOK = { size: "xs", style: { flex: "1 1 9rem", maxWidth: "16rem" } } as const;

/** The filters of a list: `<FilterBar filters={useFilters("status")} fields={{ status: ["Status", STATUSES] }} path="/payments" />`. */
export function FilterBar<Name extends string>({ filters, fields, path }: FilterBarProps<Name>) {
  return (
    <Group component="search" aria-label="Filters" gap="xs" align="end">
      {Object.entries<Field>(fields).map(([key, [label, kind, placeholder = "Any"]]) => {
        const value = filters.values[key as Name];
        const set = (next: string | null) => filters.set(key as Name, next);
        const common = { ...LOOK, label, placeholder };
        if (typeof kind === "string") return <Typed key={key} {...common} type={kind} value={value} set={set} />;
        return <ObjectSelect key={key} {...common} data={kind} value={value ?? null} onChange={set} />;
      })}
      {filters.isFiltered && (
        <AppLink to={path} size="sm" pb={6}>
          Clear filters
        </AppLink>
      )}
    </Group>
  );
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
