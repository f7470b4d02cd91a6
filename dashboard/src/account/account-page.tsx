import { Center, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Logo } from "../ui/logo.tsx";

interface AccountPageProps {
  readonly title: string;
  readonly intro?: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  readonly below?: ReactNode;
}

/** The frame of the screens before the login: one card in the middle. */
export function AccountPage({ title, intro, text, children, below }: AccountPageProps) {
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
            {intro && <Text {...{ size: "sm", c: "dimmed" }}>{intro}</Text>}
            {text && <Text size="sm">{text}</Text>}
            {children}
          </Stack>
        </Paper>
        {below && <Text {...{ size: "sm", ta: "center" }}>{below}</Text>}
      </Stack>
    </Center>
  );
}
