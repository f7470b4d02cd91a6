import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { RequestError } from "../../api/problem.ts";

/** What proves again who is at the keyboard. Sent with the call if the login is older than 15 minutes. */
export interface LoginProof {
  readonly password?: string;
  readonly totp_code?: string;
}

/**
 * Runs a form's call once at a time, and keeps its error. What was typed stays, in the form alone. After the call, what the
 * page shows is read again, for which nothing waits: the outcome is shown at once. What could not be read is left alone, because
 * the form can be the login that stands in its place.
 */
export function useSubmit(run: (form: FormData, proof: LoginProof) => Promise<unknown>) {
  const client = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const [needsProof, setNeedsProof] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    const proof = {
      password: textOf(form, "password") || undefined,
      totp_code: textOf(form, "totp_code") || undefined,
    };
    setRunning(true);
    setError(undefined);
    try {
      await run(form, proof);
      void client.invalidateQueries({ predicate: ({ state }) => state.data !== undefined });
    } catch (thrown) {
      setError(thrown);
      if (thrown instanceof RequestError && thrown.code === "reauthentication_required") setNeedsProof(true);
    } finally {
      setRunning(false);
    }
  };
  const reset = () => {
    setError(undefined);
    setNeedsProof(false);
  };
  return { error, isRunning, needsProof, submit, reset };
}

/** Returns what was typed or chosen. Several values are separated by commas. */
export function textOf(form: FormData, name: string): string {
  return form.getAll(name).join(",");
}

/** Returns the values that `textOf` has joined. */
export function listOf(text: string): string[] {
  return text.split(",").filter((part) => part !== "");
}
