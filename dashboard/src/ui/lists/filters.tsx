import { Group, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { ObjectSelect } from "../forms/fields.tsx";
import type { Option } from "../names.tsx";
import { AppLink, type useFilters } from "../navigation.tsx";

/** A label, and what the filter takes: one of some values, a text, or a day. */
type Field = readonly [label: string, kind: readonly (string | Option)[] | "text" | "date", placeholder?: string];

/** The filters of a list: `<FilterBar filters={useFilters("status")} fields={{ status: ["Status", STATUSES] }} path="/payments" />`. */
export function FilterBar<Name extends string>(props: {
  filters: ReturnType<typeof useFilters<Name>>;
  fields: Readonly<Partial<Record<Name, Field>>>;
  /** The path of the list, for the link that clears all filters. */
  path: string;
}) {
  const { values, set } = props.filters;
  const fields = Object.entries(props.fields as Readonly<Record<string, Field>>);
  return (
    <Group component="search" aria-label="Filters" gap="xs" align="end">
      {fields.map(([key, [label, kind, placeholder]]) => {
        const common = { label, value: values[key as Name], set: (value: string | null) => set(key as Name, value) };
        if (typeof kind !== "string") {
          const clearButtonProps = { "aria-label": `Clear ${label.toLowerCase()}` };
          const { value = null, set: onChange } = common;
          const select = { ...LOOK, label, value, onChange, clearButtonProps, placeholder: "Any", data: kind };
          return <ObjectSelect key={key} {...select} />;
        }
        return <FilterInput key={key} {...common} type={kind} placeholder={placeholder} />;
      })}
      {fields.some(([key]) => values[key as Name] !== undefined) && (
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
