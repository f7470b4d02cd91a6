import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, type Options, verifySync } from "@node-rs/argon2";

/** Both are after Unicode NFC. */
export type PasswordTask =
  | { readonly kind: "hash"; readonly password: string; readonly parameters: Options }
  | { readonly kind: "verify"; readonly stored: string; readonly password: string };

export type PasswordAnswer =
  | { readonly kind: "done"; readonly result: string | boolean }
  | { readonly kind: "failed"; readonly message: string };

/** Below everybody who answers requests, and above what only uses what is left. */
const PRIORITY = 10;

// On Linux this is the calling thread's own; elsewhere it would be the whole process's.
if (process.platform === "linux") setPriority(PRIORITY);

parentPort?.on("message", (task: PasswordTask) => {
  parentPort?.postMessage(answerTo(task));
});

function answerTo(task: PasswordTask): PasswordAnswer {
  try {
    const result =
      task.kind === "hash"
        ? hashSync(task.password, task.parameters)
        : verifySync(task.stored, task.password);
    return { kind: "done", result };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
