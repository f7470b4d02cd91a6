import { ActionIcon, Code, CopyButton, Group, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "./icons/icons.ts";

/** A button that copies a text. `what` names it for screen readers: `Copy the API key`. */
export function CopyIcon({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : `Copy the ${what}`} withArrow>
          <ActionIcon variant="subtle" color={copied ? "teal" : "gray"} onClick={copy} aria-label={`Copy the ${what}`}>
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** A short text in a monospaced font, with a button that copies it. Ids, addresses and hashes are shown so. */
export function CopyText({
  text,
  what,
  shown = text,
}: {
  readonly text: string;
  readonly what: string;
  readonly shown?: string;
}) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex" maw="100%">
      <Code style={shown === text ? { overflowWrap: "anywhere" } : { whiteSpace: "nowrap" }}>{shown}</Code>
      <CopyIcon text={text} what={what} />
    </Group>
  );
}

/** Lines of code or of a shell, with a button that copies them. */
export function Snippet({ code, what = "snippet" }: { readonly code: string; readonly what?: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="start">
      <Code block flex={1} tabIndex={0} style={{ minWidth: 0, overflowX: "auto" }}>
        {code}
      </Code>
      <CopyIcon text={code} what={what} />
    </Group>
  );
}
