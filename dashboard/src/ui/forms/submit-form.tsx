import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { ProblemAlert } from "../problem-alert.tsx";
import { Section, type SectionProps } from "../section.tsx";
import { type Field, Fields } from "./fields.tsx";
import type { useSubmit } from "./use-submit.ts";

interface SubmitFormProps {
  readonly form: Pick<ReturnType<typeof useSubmit>, "error" | "isRunning" | "needsProof" | "submit">;
  /** The text of the button that sends it. */
  readonly action: string;
  readonly cancel?: () => void;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  /** Whether the buttons are as wide as the form. */
  readonly isWide?: boolean;
  readonly fields?: readonly Field[] | undefined;
  readonly children?: ReactNode;
  /** What is below the fields. */
  readonly below?: ReactNode;
}

/** A form: its fields, the proof of the login if the API asks for it, the error, and the button that sends it. */
export function SubmitForm({ form, action, cancel, isDangerous, isDisabled, isWide, ...content }: SubmitFormProps) {
  const { error, isRunning, needsProof, submit } = form;
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        {content.children}
        {content.fields && <Fields fields={content.fields} error={error} />}
        {needsProof && <ProofFields />}
        {content.below}
        <ProblemAlert error={error} fields={content.fields} />
        <Group justify="end" grow={isWide}>
          {cancel && (
            <Button variant="default" onClick={cancel} disabled={isRunning}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={isRunning} color={isDangerous ? "red" : undefined} disabled={isDisabled}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A section with fields that are sent together. */
export function FormSection({ title, intro, ...form }: SubmitFormProps & Pick<SectionProps, "title" | "intro">) {
  return (
    <Section title={title} intro={intro}>
      <SubmitForm {...form} />
    </Section>
  );
}

/** Asks for the password or a code of the authenticator app. `useSubmit` passes them to the call. */
export function ProofFields() {
  return (
    <Stack gap="xs">
      <Text size="sm" role="alert">
        You signed in more than 15 minutes ago. Enter your password, or a code of your authenticator app.
      </Text>
      <PasswordInput name="password" label="Password" autoComplete="current-password" />
      <TextInput name="totp_code" label="Code" autoComplete="one-time-code" />
    </Stack>
  );
}

/** Says in a corner of the window that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: "teal", closeButtonProps: { "aria-label": "Dismiss" } });
}
