import { runAsProcess } from "./command-line.ts";
import { keysCommand } from "./keys-command.ts";

await runAsProcess(keysCommand);
