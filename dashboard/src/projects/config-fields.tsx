import { Select, TextInput } from "@mantine/core";
import { formatName } from "../ui/format.ts";

/** The parts of JSON Schema that catalogs use for the configuration of a service. */
interface FieldSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly default?: unknown;
}

type Config = Readonly<Record<string, unknown>>;

/** One input for each field of a service's configuration. An empty input is left out. */
export function ConfigFields(props: {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly config: Config;
  readonly change: (config: Config) => void;
  readonly errors: Readonly<Record<string, string>>;
}) {
  const { schema, config, change, errors } = props;
  const properties: Readonly<Record<string, FieldSchema>> = Object(schema["properties"]);
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(properties).map(([name, field]) => {
    const { [name]: value, ...rest } = config;
    const set = (next: unknown) => change(next === undefined ? rest : { ...rest, [name]: next });
    const shared = {
      label: field.title ?? formatName(name),
      description: field.description,
      placeholder: field.default === undefined ? "Default" : `Default: ${String(field.default)}`,
      required: required.includes(name),
      error: errors[name],
    };
    const choices = field.enum ?? (field.type === "boolean" ? [true, false] : undefined);
    if (choices === undefined) return <TextField key={name} shared={shared} field={field} change={set} />;
    return (
      <Select
        key={name}
        {...shared}
        clearable
        data={choices.map(String)}
        value={value === undefined ? null : String(value)}
        onChange={(chosen) => set(choices.find((choice) => String(choice) === chosen))}
      />
    );
  });
}

/** Texts are sent as they are. Numbers, lists and objects are typed as JSON. */
function TextField(props: {
  readonly shared: { readonly label: string };
  readonly field: FieldSchema;
  readonly change: (value: unknown) => void;
}) {
  const { pattern, type } = props.field;
  const parse = (text: string): unknown => {
    if (text === "") return undefined;
    if (type === "string") return text;
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  return (
    <TextInput
      {...props.shared}
      {...(pattern !== undefined && { pattern })}
      onChange={({ currentTarget }) => props.change(parse(currentTarget.value))}
    />
  );
}
