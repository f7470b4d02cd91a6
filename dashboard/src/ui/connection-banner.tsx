import { Alert } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { serverState } from "../api/session.ts";
import { useStore } from "./store.ts";

const CHECK_INTERVAL_MS = 3_000;

/** Says that the server cannot be reached, and reads everything again when it is back. */
export function ConnectionBanner() {
  const state = useStore(serverState);
  const client = useQueryClient();
  useEffect(() => {
    if (state === "reachable") return;
    const timer = setInterval(async () => {
      const isBack = await fetch("/healthz").then(
        ({ ok }) => ok,
        () => false,
      );
      if (!isBack) return;
      serverState.set("reachable");
      await client.invalidateQueries();
    }, CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [state, client]);
  if (state === "reachable") return null;
  return (
    <Alert color="orange" role="status" mb="md">
      The server cannot be reached. What you see may be old. Trying again every three seconds.
    </Alert>
  );
}
