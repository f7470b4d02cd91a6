import { type FormEvent, useState } from "react";

/** Runs a form's call once at a time, and keeps its error. What was typed stays. */
export function useSubmit(run: (form: FormData) => Promise<void>) {
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setRunning(true);
    setError(undefined);
    try {
      await run(form);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setRunning(false);
    }
  };
  return { error, isRunning, submit };
}

export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
