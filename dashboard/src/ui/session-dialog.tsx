import { Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { sessionState, signedIn } from "../api/session.ts";
import { type LoginCalls, SignInForm } from "./sign-in-form.tsx";
import { useStore } from "./store.ts";

interface SessionDialogProps {
  readonly calls: LoginCalls;
  readonly email: string;
  readonly isSameUser: () => Promise<boolean>;
  readonly home: string;
}

/**
 * Asks to sign in again when the session has ended. The page below keeps what was typed, and its request is sent again after the
 * login. Another account must not continue the work of this one, so the page is then loaded again.
 */
export function SessionDialog({ calls, email, isSameUser, home }: SessionDialogProps) {
  const client = useQueryClient();
  const isOpen = useStore(sessionState) === "ended";
  const done = async () => {
    if (!(await isSameUser())) return window.location.assign(home);
    signedIn();
    await client.invalidateQueries();
  };
  return (
    <Modal opened={isOpen} onClose={() => {}} withCloseButton={false} title="Your session has ended" zIndex={1_000}>
      <Stack>
        <Text size="sm">Sign in again to continue. Nothing that you typed is lost.</Text>
        <SignInForm calls={calls} email={email} done={done} />
      </Stack>
    </Modal>
  );
}
