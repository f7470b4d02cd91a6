import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";

import { ProblemAlert } from "../problem-alert.tsx";
import { Section } from "../section.tsx";
import type { useSubmit } from "./use-submit.ts";

/** A section with fields that are sent together. Its fields show their own errors if `hidesError`. */
export function FormSection({
  form: { error, isRunning, submit },
  action,
  hidesError = false,
  children,
  ...section
}: {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly form: ReturnType<typeof useSubmit>;
  /** The text of the button that sends them. */
  readonly action: string;
  readonly hidesError?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <form onSubmit={submit}>
      <Section {...section}>
        {children}
        {!hidesError && <ProblemAlert error={error} />}
        <Group justify="end">
          <Button type="submit" loading={isRunning}>
            {action}
          </Button>
        </Group>
      </Section>
    </form>
  );
}
