import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { CopyText, Snippet } from "./copy-text.tsx";
import { downloadText } from "./format.ts";
import { Facts } from "./page.tsx";

/** A signed statement: whether its signature is valid, its file, and how to verify it elsewhere. */
export function Signature({
  what,
  signed: { hash, kid, signature },
  problemOf,
  file,
  verify,
}: {
  /** `receipt` or `proof`. */
  readonly what: string;
  readonly signed: { readonly hash: string; readonly kid: string; readonly signature: string };
  /** Verifies it. Returns null if it is valid. */
  readonly problemOf: () => Promise<string | null>;
  readonly file: { readonly name: string; readonly content: unknown };
  /** The function of the SDK that verifies it. */
  readonly verify: string;
}) {
  return (
    <Stack gap="sm" align="stretch">
      <Validity queryKey={[what, file.name, hash, signature]} what={what} problemOf={problemOf} />
      <Facts
        facts={[
          ["SHA-256", <CopyText key="hash" text={hash} shown={`${hash.slice(0, 16)}…`} what="hash" />],
          ["Signature", <CopyText key="sig" text={signature} shown={`${signature.slice(0, 16)}…`} what="signature" />],
          ["Signing key", <CopyText key="kid" text={kid} what="key id" />],
        ]}
      />
      <Text size="sm">
        To verify the {what} without this server, save its public keys once from{" "}
        <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>, and use the SDK:
      </Text>
      <Snippet
        code={`import { readFile } from "node:fs/promises";
import { ${verify} } from "@purser/sdk";

const read = async (file) => JSON.parse(await readFile(file, "utf8"));
await ${verify}(await read("${file.name}"), await read("jwks.json")); // throws if a field was changed`}
      />
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={14} />}
        style={{ alignSelf: "start" }}
        onClick={() => downloadText(file.name, `${JSON.stringify(file.content, null, 2)}\n`, "application/json")}
      >
        Download the {what}
      </Button>
    </Stack>
  );
}

function Validity({
  queryKey,
  what,
  problemOf,
}: {
  readonly queryKey: readonly string[];
  readonly what: string;
  readonly problemOf: () => Promise<string | null>;
}) {
  const { data, error } = useQuery({ queryKey, queryFn: problemOf, retry: false });
  if (error !== null) return <Alert color="orange">This browser cannot verify the {what}. Use the SDK.</Alert>;
  if (data === undefined) return <Text size="sm">Verifying…</Text>;
  if (data !== null) {
    return (
      <Alert color="red" title={`The ${what} is not valid`} role="alert">
        {data}
      </Alert>
    );
  }
  return (
    <Alert color="teal" title={`Valid ${what}`}>
      This browser has verified the signature with the public key that this server publishes.
    </Alert>
  );
}
