import { Center, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Logo } from "../ui/logo.tsx";

/** The frame of the screens before the login: one card in the middle. */
export function AccountPage({
  title,
  intro,
  children,
  below,
}: {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children: ReactNode;
  readonly below?: ReactNode;
}) {
  useDocumentTitle(`${title} · Purser`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={420} gap="lg">
        <Logo />
        <Paper withBorder p="lg" radius="lg">
          <Stack>
            <Title order={1} size="h3">
              {title}
            </Title>
            {intro !== undefined && (
              <Text size="sm" c="dimmed" component="div">
                {intro}
              </Text>
            )}
            {children}
          </Stack>
        </Paper>
        {below !== undefined && (
          <Text size="sm" ta="center" component="div">
            {below}
          </Text>
        )}
      </Stack>
    </Center>
  );
}
