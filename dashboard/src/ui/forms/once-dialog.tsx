import { Alert, Button, Group, Modal, Stack } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { IssuedApiKey } from "../../api/api-types.ts";
import { CopyText } from "../copy-text.tsx";
import { downloadText } from "../format.ts";
import { Facts } from "../page.tsx";

interface OnceDialogProps {
  readonly title: string;
  readonly secrets: readonly (readonly [label: string, secret: string])[] | undefined;
  /** The content of a `.env` file with the secrets. */
  readonly environment?: string;
  readonly close: () => void;
  readonly children?: ReactNode;
}

/**
 * Shows secrets that the API returns only once. The caller forgets them on `close`, and they leave the document. The dialog does
 * not close by a click beside it, by Escape or by Back.
 */
export function OnceDialog({ title, secrets, environment, close, children }: OnceDialogProps) {
  const isOpen = secrets !== undefined;
  // What the page itself opens on `close` is not blocked.
  useBlocker({ shouldBlockFn: ({ action }) => action !== "PUSH" && action !== "REPLACE", disabled: !isOpen });
  return (
    <Modal
      {...{ opened: isOpen, onClose: close, title, size: "lg" }}
      {...{ closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false }}
    >
      <Stack>
        <Alert color="orange">This is shown once. Store it now: Purser keeps no copy that it can show again.</Alert>
        <Facts
          facts={(secrets ?? []).map(([label, secret]) => [label, <CopyText key={label} text={secret} what={label} />])}
        />
        {children}
        <Group justify="end">
          {environment !== undefined && (
            <Button variant="default" onClick={() => downloadText(".env", environment)}>
              Download .env
            </Button>
          )}
          <Button onClick={close}>I have stored it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface PairDialogProps {
  readonly title: string;
  /** The pair that the API has just returned, for the only time. */
  readonly pair: Pick<IssuedApiKey, "api_key" | "api_secret"> | undefined;
  /** Other lines of the `.env` file. */
  readonly lines?: string;
  readonly close: () => void;
}

/** Shows a new key pair once, and offers it as the `.env` file that the SDKs read. */
export function PairDialog({ pair, lines = "", ...props }: PairDialogProps) {
  const secrets = pair && [["API key", pair.api_key] as const, ["API secret", pair.api_secret ?? "None"] as const];
  const secretLine = pair?.api_secret ? `PURSER_API_SECRET=${pair.api_secret}\n` : "";
  return (
    <OnceDialog {...props} {...{ secrets, environment: `PURSER_API_KEY=${pair?.api_key}\n${secretLine}${lines}` }} />
  );
}
