import { Text } from "@mantine/core";
import { useState } from "react";
import { api } from "../api/client.ts";
import { SubmitForm } from "../ui/forms/submit-form.tsx";
import { useSubmit } from "../ui/forms/use-submit.ts";

/** Sends the verification email again. The answer is the same for every address. */
export function ResendButton({ email }: { readonly email: string }) {
  const [isSent, setSent] = useState(false);
  const form = useSubmit(async () => {
    await api.POST("/developers/resend-verification", { body: { email } });
    setSent(true);
  });
  return isSent ? <Text size="sm">Sent again.</Text> : <SubmitForm form={form} action="Send the email again" />;
}
