import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, type Options, verifySync } from "@node-rs/argon2";

/** The passwords must already be normalized to Unicode NFC. */
export type PasswordTask =
  | { readonly kind: "hash"; readonly password: string; readonly parameters: Options }
  | { readonly kind: "verify"; readonly stored: string; readonly password: string };

export type PasswordResponse =
  | { readonly kind: "done"; readonly result: string | boolean }
  | { readonly kind: "failed"; readonly message: string };

/** Unix niceness. The default is 0, and a higher number means a lower priority. */
const PRIORITY = 10;

// On Linux, `setPriority` changes only the calling thread. On other systems, it would change the whole process.
if (process.platform === "linux") setPriority(PRIORITY);

parentPort?.on("message", (task: PasswordTask) => {
  parentPort?.postMessage(execute(task));
});

function execute(task: PasswordTask): PasswordResponse {
  try {
    const result =
      task.kind === "hash" ? hashSync(task.password, task.parameters) : verifySync(task.stored, task.password);
    return { kind: "done", result };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
