import type { TextInputProps } from "@mantine/core";
import {
  Checkbox,
  MultiSelect,
  PasswordInput,
  Select,
  SimpleGrid,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { type ElementType, useState } from "react";
import { RequestError } from "../../api/problem.ts";
import type { Option } from "../names.tsx";

const INPUTS = {
  text: TextInput,
  secret: PasswordInput,
  lines: Textarea,
  one: Select,
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
  one: { allowDeselect: false, searchable: true, clearButtonProps: CLEAR },
};

type InputProps =
  | "description"
  | "placeholder"
  | "required"
  | "minLength"
  | "maxLength"
  | "pattern"
  | "type"
  | "inputMode";

/** An input of a form. The form has its value under its name: a choice of several is joined by commas. */
export interface Field<Name extends string = string>
  extends Pick<TextInputProps, InputProps | "autoComplete" | "spellCheck" | "defaultChecked"> {
  readonly name: Name;
  readonly label: string;
  /** Default: a line of text. `object` and `objects` choose by name, or by an id that is pasted. */
  readonly input?: keyof typeof INPUTS;
  readonly data?: readonly (string | Option)[];
  readonly defaultValue?: string | readonly string[] | null;
}

/** The inputs of a form, each with what the API has said about it. */
export function Fields({ fields, error }: { readonly fields: readonly Field[]; readonly error: unknown }) {
  const problems = invalidFields(error);
  return fields.map(({ input = "text", ...field }, index) => {
    const Input: ElementType = INPUTS[input];
    const focus = index === 0 && field.data === undefined && { "data-autofocus": true };
    const isOptional = input === "one" && field.defaultValue === undefined && { clearable: true };
    const problem = problems[field.name.replace(/^.*\./, "")];
    return <Input key={field.name} {...DEFAULTS[input]} {...focus} {...isOptional} {...field} error={problem} />;
  });
}

const STORED = "Stored in the audit trail. Optional.";
export const REASON = { name: "reason", label: "Reason", description: STORED, input: "lines", maxLength: 500 } as const;

/** Returns the values that were filled in. */
export function filledIn<Name extends string>(values: Readonly<Record<Name, string>>) {
  const entries = Object.entries<string>(values).filter(([, value]) => value !== "");
  return Object.fromEntries(entries) as { readonly [Key in Name]?: string };
}

/** The texts of the invalid fields of a failed call, by their names. */
export function invalidFields(error: unknown): Readonly<Record<string, string>> {
  return error instanceof RequestError ? error.fields : {};
}

interface ObjectSelectProps {
  readonly input?: ElementType;
  readonly data?: readonly (string | Option)[];
  readonly value?: string | readonly string[] | null;
  readonly defaultValue?: string | readonly string[] | null;
  readonly [prop: string]: unknown;
}

const ID = /^([a-z]+_\w{10,}|[\da-f-]{36})$/;

/** Chooses objects by name. Lists name the newest 100 objects: the id of another can be pasted. */
export function ObjectSelect({ input: Input = Select, data = [], ...props }: ObjectSelectProps) {
  const [search, setSearch] = useState("");
  const known = new Set(data.map((option) => (typeof option === "string" ? option : option.value)));
  const chosen = [props.value ?? [], props.defaultValue ?? [], search].flat();
  const others = new Set(chosen.filter((id) => ID.test(id) && !known.has(id)));
  return (
    <Input
      {...{ searchable: true, clearable: true, clearButtonProps: CLEAR, nothingFoundMessage: OTHERS, ...props }}
      data={[...data, ...others]}
      onSearchChange={setSearch}
    />
  );
}

const OTHERS = "Not listed. Paste the id of an object that is older than the newest 100.";

interface ChecksProps {
  readonly name: string;
  readonly label: string;
  readonly data: readonly Option[];
  readonly defaultValue: string[];
}

function Checks({ name, label, data, defaultValue }: ChecksProps) {
  return (
    <Checkbox.Group label={label} defaultValue={defaultValue}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
        {data.map((option) => (
          <Checkbox key={option.value} name={name} {...option} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
