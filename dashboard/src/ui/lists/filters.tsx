import { Select, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Option } from "../names.tsx";
import type { useFilters } from "../navigation.tsx";

interface FilterProps<Name extends string> {
  readonly label: string;
  readonly name: Name;
  readonly filters: ReturnType<typeof useFilters<Name>>;
}

/** A filter with a few values. */
export function FilterSelect<Name extends string>({
  label,
  name,
  filters: { values, set },
  options,
}: FilterProps<Name> & { readonly options: readonly (string | Option)[] }) {
  return (
    <Select
      {...{ label, size: "xs", placeholder: "Any", clearable: true, searchable: true, data: options }}
      clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      value={values[name] ?? null}
      onChange={(value) => set(name, value)}
    />
  );
}

/** A filter that is typed. A text is applied by Enter or by leaving the field, a date as soon as it is complete. */
export function FilterInput<Name extends string>({
  label,
  name,
  filters: { values, set },
  type,
}: FilterProps<Name> & { readonly type: "search" | "date" }) {
  const applied = values[name] ?? "";
  const [text, setText] = useState(applied);
  useEffect(() => setText(applied), [applied]);
  const apply = (value: string) => value !== applied && set(name, value);
  return (
    <TextInput
      {...{ label, size: "xs", type, value: text, maxLength: 200 }}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        // While a year is typed, it begins with zeros.
        if (type === "date" && (value === "" || value > "1")) apply(value);
      }}
      onBlur={() => apply(text)}
      onKeyDown={({ key }) => key === "Enter" && apply(text)}
    />
  );
}
