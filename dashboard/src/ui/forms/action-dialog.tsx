import { Button, type ButtonProps, Modal, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import type { Field } from "./fields.tsx";
import { SubmitForm } from "./submit-form.tsx";
import { type LoginProof, textOf, useSubmit } from "./use-submit.ts";

interface ActionDialogProps<Name extends string> {
  /** The text of the button that opens the dialog, and the title of the dialog. */
  readonly title: string;
  readonly button?: ReactNode;
  readonly buttonProps?: ButtonProps;
  /** Whether the button is in a row of a list. */
  readonly isSmall?: boolean;
  /** The text of the button that does it. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** The text that must be typed first, for what cannot be undone. */
  readonly typeToConfirm?: string;
  /** Does it. The dialog closes when the promise resolves, and shows the error if it rejects. */
  readonly run: (values: Readonly<Record<Name, string>>, proof: LoginProof) => Promise<unknown>;
  readonly size?: string;
  /** What to know before. */
  readonly text?: string;
  readonly fields?: readonly Field<Name>[];
  readonly children?: ReactNode;
}

/**
 * A button that opens a dialog, which asks for what an action needs and shows its true outcome. Then every list is read again:
 * nothing is shown as done before the server has said so. What was typed is gone when the dialog closes.
 */
export function ActionDialog<Name extends string = never>(props: ActionDialogProps<Name>) {
  const { title, typeToConfirm, isDangerous = typeToConfirm !== undefined, run, fields, children, text } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const [typed, setTyped] = useState("");
  const form = useSubmit(async (data, proof) => {
    const values = Object.fromEntries((fields ?? []).map(({ name }) => [name, textOf(data, name)]));
    await run(values as Record<Name, string>, proof);
    close();
  });
  const openAnew = () => {
    form.reset();
    setTyped("");
    open();
  };
  // While the action runs, its outcome must not be lost.
  const closeUnlessRunning = () => (form.isRunning ? undefined : close());
  const look = { ...(props.isSmall && SMALL), ...(isDangerous && { variant: "light", color: "red" }) };
  return (
    <>
      <Button {...look} {...props.buttonProps} onClick={openAnew}>
        {props.button ?? title}
      </Button>
      <Modal
        {...{ opened: isOpen, onClose: closeUnlessRunning, title, size: props.size ?? "md" }}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <SubmitForm
          {...{ form, isDangerous, action: props.action, cancel: close, fields }}
          isDisabled={typeToConfirm !== undefined && collapse(typed) !== collapse(typeToConfirm)}
          below={
            typeToConfirm !== undefined && (
              <div>
                <Text size="sm" mb={4}>
                  Type <strong>{typeToConfirm}</strong> to confirm
                </Text>
                <TextInput
                  {...{ "aria-label": `Type ${typeToConfirm} to confirm`, "data-autofocus": true, value: typed }}
                  onChange={({ currentTarget }) => setTyped(currentTarget.value)}
                />
              </div>
            )
          }
        >
          {text && <Text size="sm">{text}</Text>}
          {children}
        </SubmitForm>
      </Modal>
    </>
  );
}

/** The browser shows several spaces as one. */
const collapse = (text: string) => text.trim().replace(/\s+/g, " ");

export const SMALL = { size: "compact-sm", variant: "light" } as const;
