import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { KillSwitch, WalletFreezeReport } from "../api/api-types.ts";
import { problemOfReport } from "../api/statements.ts";
import { Snippet } from "./copy-text.tsx";
import { downloadText } from "./format.ts";
import { IconDownload } from "./icons/icons.ts";
import { Id } from "./names.tsx";
import { Facts } from "./page.tsx";

interface SignatureProps {
  /** `receipt` or `proof`. */
  readonly what: string;
  readonly signed: { readonly hash: string; readonly kid: string; readonly signature: string };
  /** Verifies it. Returns null if it is valid. */
  readonly problemOf: () => Promise<string | null>;
  readonly file: { readonly name: string; readonly content: unknown };
  /** The function of the SDK that verifies it. */
  readonly verify: string;
}

/** A signed statement: whether its signature is valid, its file, and how to verify it elsewhere. */
export function Signature(props: SignatureProps) {
  const { what, signed, file, verify } = props;
  const download = () => downloadText(file.name, `${JSON.stringify(file.content, null, 2)}\n`, "application/json");
  return (
    <Stack gap="sm">
      <Validity {...props} />
      <Facts
        facts={[
          ["SHA-256", <Id key="hash" text={signed.hash} what="hash" />],
          ["Signature", <Id key="signature" text={signed.signature} what="signature" />],
          ["Signing key", <Id key="key" text={signed.kid} what="key id" />],
        ]}
      />
      <Text size="sm">
        To verify the {what} without this server, save its public keys once from{" "}
        <Anchor href="/.well-known/jwks.json" inherit>
          /.well-known/jwks.json
        </Anchor>
        , and use the SDK. It throws if anything was changed.
      </Text>
      <Snippet
        code={`import { readFile } from "node:fs/promises";
import { ${verify} } from "@purser/sdk";

const read = async (file) => JSON.parse(await readFile(file, "utf8"));
const ${what} = await read("${file.name}");
await ${verify}(${what}, await read("jwks.json"));`}
      />
      <Button variant="default" size="xs" leftSection={<IconDownload size={14} />} onClick={download} mr="auto">
        Download the {what}
      </Button>
    </Stack>
  );
}

function Validity({ what, signed, file, problemOf }: SignatureProps) {
  const { data, error } = useQuery({ queryKey: [what, signed, file.content], queryFn: problemOf, retry: false });
  if (error !== null) return <Alert color="orange">This browser cannot verify the {what}. Use the SDK.</Alert>;
  if (data === undefined) return <Text size="sm">Verifying…</Text>;
  return (
    <Alert
      color={data === null ? "teal" : "red"}
      role="status"
      title={`${data === null ? "Valid" : "Invalid"} ${what}`}
    >
      {data ?? "This browser has verified the signature with the public key that this server publishes."}
    </Alert>
  );
}

/** The proof of a report that is signed as a whole. */
export function Proof({ report, name }: { readonly report: KillSwitch | WalletFreezeReport; readonly name: string }) {
  const { proof } = report;
  if (proof === null) return <Text size="sm">The report is signed when the run has ended.</Text>;
  return (
    <Signature
      {...{ what: "proof", signed: { ...proof, hash: proof.decision_hash }, file: { name, content: report } }}
      problemOf={() => problemOfReport(report)}
      verify={"kill_switch_id" in report ? "verifyRevocation" : "verifyFreezeProof"}
    />
  );
}
