import { Button, type ButtonProps, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { RequestError } from "../../api/problem.ts";
import { ProblemAlert } from "../problem-alert.tsx";

/** What proves again who is at the keyboard. Sent with the call if the login is older than 15 minutes. */
export interface LoginProof {
  readonly password?: string;
  readonly totp_code?: string;
}

interface ActionDialogProps {
  /** The text of the button that opens the dialog, and the title of the dialog. */
  readonly title: string;
  readonly button?: ReactNode;
  readonly buttonProps?: ButtonProps;
  /** The text of the button that does it. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** The text that must be typed first, for what cannot be undone. */
  readonly typeToConfirm?: string;
  /** Does it. The dialog closes when the promise resolves, and shows the error if it rejects. */
  readonly run: (proof: LoginProof) => Promise<unknown>;
  readonly size?: string;
  readonly children?: ReactNode | ((error: unknown) => ReactNode);
}

/**
 * A button that opens a dialog, which asks for what an action needs and shows its true outcome. Then every list is read again:
 * nothing is shown as done before the server has said so.
 */
export function ActionDialog(props: ActionDialogProps) {
  const { title, button = title, buttonProps, size = "md" } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const [isRunning, setRunning] = useState(false);
  // While the action runs, its outcome must not be lost.
  const closeUnlessRunning = () => (isRunning ? undefined : close());
  return (
    <>
      <Button {...buttonProps} onClick={open}>
        {button}
      </Button>
      <Modal
        opened={isOpen}
        onClose={closeUnlessRunning}
        title={title}
        size={size}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <ActionForm {...props} close={close} isRunning={isRunning} setRunning={setRunning} />
      </Modal>
    </>
  );
}

/** The content of the dialog. Its state is gone when it closes. */
function ActionForm({
  action,
  isDangerous = false,
  typeToConfirm,
  run,
  children,
  close,
  isRunning,
  setRunning,
}: ActionDialogProps & {
  readonly close: () => void;
  readonly isRunning: boolean;
  readonly setRunning: (isRunning: boolean) => void;
}) {
  const client = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [typed, setTyped] = useState("");
  const [proof, setProof] = useState<LoginProof>({});
  const [needsProof, setNeedsProof] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    try {
      await run(proof);
      close();
      void client.invalidateQueries();
    } catch (thrown) {
      setError(thrown);
      if (thrown instanceof RequestError && thrown.code === "reauthentication_required") setNeedsProof(true);
    } finally {
      setRunning(false);
    }
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        {typeof children === "function" ? children(error) : children}
        {typeToConfirm !== undefined && (
          <TextInput
            label={
              <>
                Type <strong>{typeToConfirm}</strong> to confirm
              </>
            }
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            data-autofocus
          />
        )}
        {needsProof && <ProofFields proof={proof} change={setProof} />}
        <ProblemAlert error={error} />
        <Group justify="end">
          <Button variant="default" onClick={close} disabled={isRunning}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={isRunning}
            {...(isDangerous && { color: "red" })}
            disabled={typeToConfirm !== undefined && typed !== typeToConfirm}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks for the password or a code of the authenticator app. */
export function ProofFields({
  proof,
  change,
}: {
  readonly proof: LoginProof;
  readonly change: (proof: LoginProof) => void;
}) {
  const set = (name: keyof LoginProof) => (event: { readonly currentTarget: { readonly value: string } }) => {
    const { [name]: _old, ...rest } = proof;
    const { value } = event.currentTarget;
    change(value === "" ? rest : { ...rest, [name]: value });
  };
  return (
    <Stack gap="xs">
      <Text size="sm" role="alert">
        You signed in more than 15 minutes ago. Enter your password, or a code of your authenticator app.
      </Text>
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        value={proof.password ?? ""}
        onChange={set("password")}
      />
      <TextInput label="Code" autoComplete="one-time-code" value={proof.totp_code ?? ""} onChange={set("totp_code")} />
    </Stack>
  );
}
