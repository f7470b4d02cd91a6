import { readFileSync } from "node:fs";
import { migrate } from "../db/migrate.ts";
import { describeForOperator, UsageError } from "./command-line.ts";

const WAITING_MS = 5_000;

const { DATABASE_OWNER_URL: url, DATABASE_OWNER_URL_FILE: file } = process.env;
const waiting = setTimeout(() => {
  console.error("Still migrating. An index that is created concurrently waits until older transactions have ended.");
}, WAITING_MS);
try {
  const ownerUrl = url || (file && readFileSync(file, "utf8").trim());
  if (!ownerUrl) throw new UsageError("Set DATABASE_OWNER_URL to the URL of the database with its owner's role.");
  if (!URL.canParse(ownerUrl))
    throw new UsageError("DATABASE_OWNER_URL is not a URL: postgres://ROLE:PASSWORD@HOST/DATABASE.");
  const applied = await migrate({ ownerUrl });
  console.log(applied.length === 0 ? "Nothing to migrate." : `Applied ${applied.join(", ")}.`);
} catch (error) {
  console.error(describeForOperator(error));
  process.exitCode = 1;
}
clearTimeout(waiting);
