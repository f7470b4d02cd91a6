import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { RequestError } from "../api/problem.ts";
import { modeState } from "../api/session.ts";
import { CopyText } from "./copy-text.tsx";
import { formatName } from "./format.ts";
import { IconAlertCircle } from "./icons/icons.ts";

/** The start of a screen's URL in an error of the API, which does not know the mode of this tab. */
const WITHOUT_MODE = /\/dashboard\/(?!test\/|live\/)/;

interface ProblemAlertProps {
  readonly error: unknown;
  /** The fields that show their own errors. */
  readonly fields?: readonly { readonly name: string }[] | undefined;
}

/** Shows an error of the API: what is wrong, what to do next, and the id of the request. Nothing without an error. */
export function ProblemAlert({ error, fields = [] }: ProblemAlertProps) {
  if (error === null || error === undefined) return null;
  const problem: RequestError["problem"] = error instanceof RequestError ? error.problem : {};
  const next = problem.next_action;
  const shown = new Set(fields.map(({ name }) => name.split(".").at(-1)));
  const errors = problem.errors ?? [];
  const invalid = errors.filter(({ pointer }) => !shown.has(pointer.split("/").at(-1)));
  return (
    <Alert
      {...{ color: "red", role: "alert", title: problem.title ?? "This did not work", ref: showFirst }}
      icon={<IconAlertCircle />}
    >
      <Stack gap={6} align="start">
        <Text size="sm">{invalid.length < errors.length ? "Correct what is marked above." : textOf(error)}</Text>
        {invalid.map(({ pointer, detail }) => (
          <Text size="sm" key={pointer + detail}>
            {formatName(pointer.split("/").at(-1) ?? "")}: {detail}
          </Text>
        ))}
        {next?.url !== undefined && (
          <Anchor href={next.url.replace(WITHOUT_MODE, `/dashboard/${modeState.get()}/`)} size="sm">
            {formatName(next.type)}
          </Anchor>
        )}
        {problem.request_id !== undefined && (
          <Text size="xs" component="div">
            Request <CopyText text={problem.request_id} what="request id" />
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

/** On a long form, neither the alert nor the invalid field needs to be on the screen. */
function showFirst(alert: HTMLElement | null) {
  alert?.closest("form")?.querySelector("[aria-invalid=true], [role=alert]")?.scrollIntoView({ block: "center" });
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
