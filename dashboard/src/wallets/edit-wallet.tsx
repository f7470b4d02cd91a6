import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Wallet } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/action-dialog.tsx";

/** Changes the wallet's name and metadata. The dialog's fields start anew when the wallet has changed. */
export function EditWallet({ wallet }: { readonly wallet: Wallet }) {
  return <EditDialog key={wallet.updated_at} wallet={wallet} />;
}

function EditDialog({ wallet: { wallet_id, name, metadata } }: { readonly wallet: Wallet }) {
  const [newName, setName] = useState(name ?? "");
  const [text, setText] = useState(
    Object.entries(metadata)
      .map(([key, value]) => `${key}: ${value}`)
      .join("\n"),
  );
  const save = () => {
    const removed = Object.fromEntries(Object.keys(metadata).map((key) => [key, null]));
    const body = { name: newName === "" ? null : newName, metadata: { ...removed, ...parse(text) } };
    return api.PATCH("/wallets/{wallet_id}", { params: { path: { wallet_id } }, body });
  };
  return (
    <ActionDialog
      title="Edit wallet"
      button="Edit"
      buttonProps={{ variant: "default", size: "xs" }}
      action="Save"
      run={save}
    >
      <TextInput
        label="Name"
        description="2 to 36 letters, digits and hyphens."
        maxLength={36}
        value={newName}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
      />
      <Textarea
        label="Metadata"
        description="One pair on each line: key: value"
        autosize
        minRows={3}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </ActionDialog>
  );
}

/** Returns the pairs of lines such as `team: growth`. */
function parse(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [key = "", ...value] = line.split(":");
      return [key.trim(), value.join(":").trim()];
    }),
  );
}
