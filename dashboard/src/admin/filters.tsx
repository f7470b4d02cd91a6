import { ActionIcon, NativeSelect, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { FormEvent } from "react";
import { textOf } from "../ui/forms/use-submit.ts";

/** Searches when it is submitted. Each search is a recorded call, so typing alone searches nothing. */
export function SearchBox({
  label,
  placeholder,
  value = "",
  search,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly value?: string;
  readonly search: (text: string) => void;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    search(textOf(new FormData(event.currentTarget), "q").trim());
  };
  const button = (
    <ActionIcon type="submit" variant="subtle" color="gray" aria-label={label}>
      <IconSearch size={16} />
    </ActionIcon>
  );
  return (
    // Another value in the URL, for example after Back, replaces what was typed.
    <form key={value} onSubmit={submit} style={{ width: "20rem", maxWidth: "100%" }}>
      <TextInput
        name="q"
        label={label}
        placeholder={placeholder}
        defaultValue={value}
        maxLength={100}
        rightSection={button}
      />
    </form>
  );
}

/** Chooses one of a filter's values, or any. */
export function ChoiceFilter({
  label,
  value = "",
  choices,
  choose,
}: {
  readonly label: string;
  readonly value?: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly choose: (value: string) => void;
}) {
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      data={[{ value: "", label: "Any" }, ...choices]}
    />
  );
}
