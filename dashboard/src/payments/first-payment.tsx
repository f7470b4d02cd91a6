import { List, Text } from "@mantine/core";
import { Snippet } from "../ui/copy-text.tsx";
import { useAgents, useKeys } from "../ui/names.tsx";
import { AppLink, useMode } from "../ui/navigation.tsx";
import { Empty } from "../ui/page.tsx";

/** What a list of payments shows while it is empty: what an agent needs to pay, and a command with which it pays. */
export function NoPayments() {
  const mode = useMode();
  const agentId = useAgents().find(({ status }) => status === "active")?.agent_id;
  const key = useKeys().find((one) => one.mode === mode && one.status === "active");
  return (
    <Empty title="No payments yet">
      <Text size="sm">An agent pays from its wallet. Its policies decide what it may pay. For its first payment:</Text>
      <List size="sm" type="ordered">
        <List.Item>
          <AppLink to="/agents">Create an agent</AppLink>, and <AppLink to="/wallets">a wallet for it</AppLink>. In test
          mode, fund the wallet.
        </List.Item>
        <List.Item>
          <AppLink to="/keys">Create a key pair</AppLink>, with which the agent's code signs its calls.
        </List.Item>
        <List.Item>
          Put the pair into the first two lines, and run this in a shell. It needs openssl and curl:
        </List.Item>
      </List>
      <Snippet what="command" code={signedPayment(mode, agentId, key?.key_hint)} />
      <Text size="sm">In code, the SDK signs for you: the API reference shows each call in TypeScript and Python.</Text>
    </Empty>
  );
}

/** Returns shell commands that sign and send a payment of five dollars. */
function signedPayment(mode: string, agentId = "AGENT_ID", hint = ""): string {
  const ends = hint === "" ? "" : ` # such as the one that ends with ${hint.replace("…", "")}`;
  const payee = mode === "live" ? "PAYEE_ADDRESS" : "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
  return `KEY=svc_sk_${mode}_YOUR_KEY${ends}
SECRET=svc_ss_${mode}_YOUR_SECRET
AGENT=${agentId}
BODY='{"agent_id":"'$AGENT'","amount":"5.00","to":"${payee}"}'
URL_PATH=/api/v1/svc/payments/send NOW=$(date +%s)
SIGNING_KEY=$(printf %s "$SECRET" | openssl dgst -sha256 -r | cut -d' ' -f1)
BODY_HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d' ' -f1)
SIGNATURE=$(printf %s "$NOW.POST.$URL_PATH.$BODY_HASH" | openssl dgst -sha256 -hmac "$SIGNING_KEY" -r | cut -d' ' -f1)
curl -sS ${window.location.origin}$URL_PATH -H "Authorization: $KEY" -H "X-Timestamp: $NOW" -H "X-Nonce: $(openssl rand -hex 16)" \\
  -H "X-Request-Signature: $SIGNATURE" -H "X-Agent-ID: $AGENT" -H 'Content-Type: application/json' -d "$BODY"`;
}
