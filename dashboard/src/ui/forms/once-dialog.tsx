import { Alert, Button, Group, Modal, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyText } from "../copy-text.tsx";
import { downloadText } from "../format.ts";
import { Facts } from "../page.tsx";

/**
 * Shows secrets that the API returns only once. The caller forgets them on `close`, and they leave the document. The dialog does
 * not close by a click beside it or by Escape.
 */
export function OnceDialog({
  title,
  secrets,
  environment,
  close,
  children,
}: {
  readonly title: string;
  readonly secrets: readonly (readonly [label: string, secret: string])[] | undefined;
  /** The content of a `.env` file with the secrets. */
  readonly environment?: string;
  readonly close: () => void;
  readonly children?: ReactNode;
}) {
  return (
    <Modal
      opened={secrets !== undefined}
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="orange">This is shown once. Store it now: Purser keeps no copy that it can show again.</Alert>
        <Facts
          facts={(secrets ?? []).map(([label, secret]) => [label, <CopyText key={label} text={secret} what={label} />])}
        />
        {children}
        <Group justify="end">
          {environment !== undefined && (
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              onClick={() => downloadText(".env", environment)}
            >
              Download .env
            </Button>
          )}
          <Button onClick={close}>I have stored it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
