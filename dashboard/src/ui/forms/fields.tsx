import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  PasswordInput,
  Select,
  SimpleGrid,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { type ElementType, type InputHTMLAttributes, type ReactNode, useState } from "react";
import { RequestError } from "../../api/problem.ts";
import { type Option, optionsOf } from "../names.tsx";

const INPUTS = {
  text: TextInput,
  secret: PasswordInput,
  lines: Textarea,
  one: Select,
  clearable: Select,
  many: MultiSelect,
  tags: TagsInput,
  check: Checkbox,
  checks: Checks,
  object: (props: object) => <ObjectSelect input={Select} {...props} />,
  objects: (props: object) => <ObjectSelect input={MultiSelect} {...props} />,
} as const satisfies Readonly<Record<string, ElementType>>;

const CLEAR = { "aria-label": "Clear" };

const DEFAULTS: Readonly<Partial<Record<keyof typeof INPUTS, object>>> = {
  lines: { autosize: true, minRows: 2, maxRows: 14, spellCheck: false },
  many: { searchable: true, clearButtonProps: CLEAR },
  clearable: { searchable: true, clearable: true, clearButtonProps: CLEAR },
  one: { allowDeselect: false, searchable: true, clearButtonProps: CLEAR },
};

type Data = readonly (string | Option)[];

/** An input of a form. The form has its value under its name: a choice of several is joined by commas. */
export interface Field<Name extends string = string>
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "defaultValue" | "value" | "size" | "onChange"> {
  readonly name: Name;
  readonly label: string;
  readonly description?: string;
  /** Default: a line of text. `one` chooses one value, `clearable` one or none. `object` and `objects` choose by name, or by an id that is pasted. */
  readonly input?: keyof typeof INPUTS;
  /** What can be chosen, or its labels by their values. */
  readonly data?: Data | Readonly<Record<string, string>>;
  readonly defaultValue?: string | readonly string[] | null;
}

/** The inputs of a form, each with what the API has said about it. */
export function Fields({ fields, error }: { readonly fields: readonly Field[]; readonly error: unknown }) {
  const problems = invalidFields(error);
  return fields.map(({ input = "text", data, ...field }, index) => {
    const Input: ElementType = INPUTS[input];
    const props = {
      ...(index === 0 && data === undefined && { "data-autofocus": true }),
      ...(data && { data: isList(data) ? data : optionsOf(data) }),
      ...(input === "one" && { clearable: field.defaultValue === undefined }),
      error: problems[field.name.replace(/^.*\./, "")],
    };
    return <Input key={field.name} {...DEFAULTS[input]} {...props} {...field} />;
  });
}

const STORED = "Stored in the audit trail. Optional.";
export const REASON = { name: "reason", label: "Reason", description: STORED, input: "lines", maxLength: 500 } as const;

/** Returns the values that were filled in. */
export function filledIn<Name extends string>(values: Readonly<Record<Name, string>>) {
  const entries = Object.entries<string>(values).filter(([, value]) => value !== "");
  return Object.fromEntries(entries) as { readonly [Key in Name]?: string };
}

function isList(data: Exclude<Field["data"], undefined>): data is Data {
  return Array.isArray(data);
}

/** The texts of the invalid fields of a failed call, by their names. */
export function invalidFields(error: unknown): Readonly<Record<string, string>> {
  return error instanceof RequestError ? error.fields : {};
}

interface ObjectSelectProps {
  readonly input?: ElementType;
  readonly data?: Data;
  readonly value?: string | readonly string[] | null;
  readonly defaultValue?: string | readonly string[] | null;
  readonly onChange?: (value: never) => void;
}

const ID = /^([a-z]+_\w{8,}|[\da-f-]{36})$/;

/** Chooses objects by name. Lists name the newest 100 objects: the id of another can be typed. */
export function ObjectSelect({ input: Input = Select, data = [], ...props }: ObjectSelectProps) {
  const [typed, setTyped] = useState("");
  const known = new Set(data.map((option) => (typeof option === "string" ? option : option.value)));
  const ids = [typed, ...[props.value ?? props.defaultValue ?? []].flat()];
  const others = new Set(ids.filter((id) => !known.has(id) && ID.test(id)));
  const common = { searchable: true, clearable: true, clearButtonProps: CLEAR, nothingFoundMessage: OTHERS };
  return <Input {...common} {...props} data={[...data, ...others]} onSearchChange={setTyped} />;
}

const OTHERS = "Not among the newest 100. Type its id.";

interface ChecksProps {
  readonly name: string;
  readonly label: string;
  readonly data: readonly Option[];
  readonly defaultValue: string[];
  readonly error?: ReactNode;
}

/** Several boxes, and buttons that tick those whose value ends with `:read`, all, or none. */
function Checks({ name, data, defaultValue, ...props }: ChecksProps) {
  const [value, setValue] = useState(defaultValue);
  const all = data.map((option) => option.value);
  const choices = { All: all, "Read only": all.filter((one) => one.endsWith(":read")), None: [] };
  return (
    <Checkbox.Group {...props} value={value} onChange={setValue}>
      <Group gap="xs" mt={4}>
        {Object.entries(choices).map(([label, chosen]) => (
          <Button key={label} size="compact-xs" variant="default" onClick={() => setValue(chosen)}>
            {label}
          </Button>
        ))}
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
        {data.map((option) => (
          <Checkbox key={option.value} name={name} {...option} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
