import { useEffect, useState } from "react";
import type { EmailedToken } from "../api/api-types.ts";
import { api } from "../api/client.ts";

/**
 * Takes the token out of the URL of an email, so that it is neither in the history nor in a screenshot, and reads what it is for.
 * Reading does not use it.
 */
export function useEmailedToken(parameter: "token" | "verify", purpose: EmailedToken["purpose"]) {
  const [token] = useState(() => new URLSearchParams(window.location.search).get(parameter) ?? "");
  const [state, setState] = useState<{ readonly account?: EmailedToken; readonly error?: unknown }>({});
  useEffect(() => {
    window.history.replaceState(window.history.state, "", window.location.pathname);
    api.POST("/developers/emailed-tokens", { body: { token, purpose } }).then(
      ({ data }) => setState({ account: data }),
      (error: unknown) => setState({ error }),
    );
  }, [token, purpose]);
  return { token, ...state };
}
