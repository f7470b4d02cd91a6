import { Select } from "@mantine/core";

type Options = readonly (string | { readonly value: string; readonly label: string })[];

/** A filter of a list with a few values: `useFilters` has its value, and `set` changes it. */
export function FilterSelect<Name extends string>({
  label,
  name,
  any,
  data,
  filters: { values, set },
}: {
  readonly label: string;
  readonly name: Name;
  /** What is shown without a filter: `Any status`. */
  readonly any: string;
  readonly data: Options;
  readonly filters: {
    readonly values: { readonly [Key in Name]?: string };
    readonly set: (name: Name, value: string | null) => void;
  };
}) {
  const common = { label, placeholder: any, clearable: true, searchable: data.length > 10, data: [...data] };
  return <Select {...common} value={values[name] ?? null} onChange={(value) => set(name, value)} />;
}
