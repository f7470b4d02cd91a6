import { Text } from "@mantine/core";
import { hooks } from "../api/client.ts";

/** All keys, for filters and names. The list is read once for all rows. */
export function useKeys() {
  return hooks.useQuery("get", "/developers/me/keys").data?.data ?? [];
}

/** The name of a key, or its id if it is not in the list. */
export function KeyName({ keyId }: { readonly keyId: string }) {
  const key = useKeys().find(({ key_id }) => key_id === keyId);
  return (
    <Text size="sm" title={keyId} style={{ whiteSpace: "nowrap" }}>
      {key?.name ?? `…${keyId.slice(-6)}`}
    </Text>
  );
}
