import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../api/client.ts";
import { useSubmit } from "../ui/forms/use-submit.ts";
import { ProblemAlert } from "../ui/problem-alert.tsx";

/** Sends the verification email again. The answer is the same for every address. */
export function ResendButton({ email }: { readonly email: string }) {
  const [isSent, setSent] = useState(false);
  const { error, isRunning, submit } = useSubmit(async () => {
    await api.POST("/developers/resend-verification", { body: { email } });
    setSent(true);
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <ProblemAlert error={error} />
        <Button type="submit" variant="default" loading={isRunning} disabled={isSent}>
          {isSent ? "Sent again" : "Send the email again"}
        </Button>
      </Stack>
    </form>
  );
}
