import { escapeHtml, isolate } from "../../../../foundation/escape-html.ts";
import type { KeysOfEmailedToken } from "../../../../modules/developers/keys/emailed-keys.ts";

/** Returns the account's API keys as an HTML list. */
export function keyList({ keys }: Pick<KeysOfEmailedToken, "keys">): string {
  const items = keys.map(({ keyId, keyHint, mode, name, createdAt, lastUsedAt }) => {
    const used = lastUsedAt === null ? "not used yet" : `last used on ${lastUsedAt.toISOString().slice(0, 10)}`;
    const dates = `created on ${createdAt.toISOString().slice(0, 10)}, ${used}`;
    return `<li><strong>${isolate(name)}</strong> (${mode}, ${escapeHtml(keyHint)}), ${dates}: <code>${keyId}</code></li>`;
  });
  return `<ul>\n${items.join("\n")}\n</ul>`;
}
