import type { Settings } from "../settings.ts";

/** Returns the URLs of an approval. The page requires a login, so its URL is not secret. */
export function approvalUrls({ settings }: { readonly settings: Pick<Settings, "publicUrl"> }, approvalId: string) {
  const path = `/api/v1/svc/approvals/${approvalId}`;
  return {
    approve_url: `${path}/approve`,
    approve_page_url: `${settings.publicUrl}/approve/${approvalId}`,
    long_poll_url: `${path}?wait_seconds=30`,
  };
}
