import { Group, Select, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { AppLink, type useFilters } from "../navigation.tsx";

interface Option {
  readonly value: string;
  readonly label: string;
}

/** A label, and what the filter takes: one of some values, a text, or a day. */
type Field = readonly [label: string, kind: readonly (string | Option)[] | "text" | "date", placeholder?: string];

/** The filters of a list: `<FilterBar filters={useFilters("status")} fields={{ status: ["Status", STATUSES] }} path="/payments" />`. */
export function FilterBar<Name extends string>(props: {
  filters: ReturnType<typeof useFilters<Name>>;
  fields: Readonly<Record<Name, Field>>;
  /** The path of the list, for the link that clears all filters. */
  path: string;
}) {
  const { values, set, isFiltered } = props.filters;
  return (
    <Group component="search" aria-label="Filters" gap="xs" align="end">
      {Object.entries<Field>(props.fields).map(([key, [label, kind, placeholder]]) => {
        const common = { label, value: values[key as Name], set: (value: string | null) => set(key as Name, value) };
        if (typeof kind !== "string") return <FilterSelect key={key} {...common} options={kind} />;
        return <FilterInput key={key} {...common} type={kind} placeholder={placeholder} />;
      })}
      {isFiltered && (
        <AppLink to={props.path} size="sm" pb={6}>
          Clear filters
        </AppLink>
      )}
    </Group>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly set: (value: string | null) => void;
}

const LOOK = { size: "xs", style: { flex: "1 1 9rem", maxWidth: "16rem" } } as const;

/** Lists name the newest 100 objects. The id of another one can be typed. */
function FilterSelect({
  label,
  value,
  set,
  options,
}: FilterProps & { readonly options: readonly (string | Option)[] }) {
  const [typed, setTyped] = useState("");
  const known = new Set(options.map((option) => (typeof option === "string" ? option : option.value)));
  const others = [value ?? "", typed].filter((id) => !known.has(id) && /^([a-z]+_\w{8,}|[\da-f-]{36})$/.test(id));
  return (
    <Select
      {...{ ...LOOK, label, placeholder: "Any", clearable: true, searchable: true, onSearchChange: setTyped }}
      clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      nothingFoundMessage="Not among the newest 100. Type its id."
      data={[...options, ...new Set(others)]}
      value={value ?? null}
      onChange={set}
    />
  );
}

/** A text is applied by Enter or by leaving the field, a date as soon as it is complete. */
function FilterInput({
  label,
  value = "",
  set,
  type,
  placeholder,
}: FilterProps & { readonly type: "text" | "date"; readonly placeholder: string | undefined }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = (next: string) => next.trim() !== value && set(next.trim());
  return (
    <TextInput
      {...{ ...LOOK, label, type, placeholder, value: text, maxLength: 200 }}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        // While a year is typed, it begins with zeros.
        if (type === "date" && (currentTarget.value === "" || currentTarget.value > "1")) apply(currentTarget.value);
      }}
      onBlur={() => apply(text)}
      onKeyDown={({ key }) => key === "Enter" && apply(text)}
    />
  );
}
