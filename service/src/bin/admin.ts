import { adminCommand } from "./admin-command.ts";
import { runAsProcess } from "./command-line.ts";

await runAsProcess(adminCommand);
