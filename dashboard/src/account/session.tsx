import type { Developer } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { SessionDialog } from "../ui/session-dialog.tsx";
import { DEVELOPER_LOGIN } from "./sign-in-form.tsx";

/** Asks a developer to sign in again when the session has ended. */
export function DeveloperSession({ developer: { developer_id, email } }: { readonly developer: Developer }) {
  const isSameUser = async () => {
    const { data } = await api.GET("/developers/dashboard/me");
    return data?.developer_id === developer_id;
  };
  return <SessionDialog calls={DEVELOPER_LOGIN} email={email} isSameUser={isSameUser} home="/dashboard" />;
}
