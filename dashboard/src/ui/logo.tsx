import { Group, Text } from "@mantine/core";

/** The mark of Purser: a coin with the letter P. */
export function Logo() {
  return (
    <Group gap="xs" wrap="nowrap">
      <svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
        <circle cx="13" cy="13" r="13" fill="#4263eb" />
        <path d="M9 6.5h5a4.75 4.75 0 0 1 0 9.5h-2.4v4H9zm2.6 2.4v4.7H14a2.35 2.35 0 0 0 0-4.7z" fill="#fff" />
      </svg>
      <Text component="span" fw={700} size="lg">
        Purser
      </Text>
    </Group>
  );
}
