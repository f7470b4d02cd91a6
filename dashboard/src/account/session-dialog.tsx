import { Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { sessionState, signedIn } from "../api/session.ts";
import { useStore } from "../ui/store.ts";
import { SignInForm } from "./sign-in-form.tsx";

/**
 * Asks to sign in again when the session has ended. The page below keeps what was typed, and its request is sent again after the
 * login. Another account must not continue the work of this one, so the page is then loaded again.
 */
export function SessionDialog({ developerId, email }: { readonly developerId: string; readonly email: string }) {
  const client = useQueryClient();
  const isOpen = useStore(sessionState) === "ended";
  const done = async () => {
    const { data } = await api.GET("/developers/dashboard/me");
    if (data?.developer_id !== developerId) {
      window.location.assign("/dashboard");
      return;
    }
    signedIn();
    await client.invalidateQueries();
  };
  return (
    <Modal opened={isOpen} onClose={() => {}} withCloseButton={false} title="Your session has ended" zIndex={1_000}>
      <Stack>
        <Text size="sm">Sign in again to continue. Nothing that you typed is lost.</Text>
        <SignInForm email={email} done={() => void done()} />
      </Stack>
    </Modal>
  );
}
