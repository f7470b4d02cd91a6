import { migrate } from "../db/migrate.ts";

const ownerUrl = process.env["DATABASE_OWNER_URL"];
if (ownerUrl === undefined) {
  console.error("Set DATABASE_OWNER_URL to the database, as the role that owns it.");
  process.exitCode = 1;
} else {
  const applied = await migrate({ ownerUrl });
  console.log(applied.length === 0 ? "Nothing to migrate." : `Applied ${applied.join(", ")}.`);
}
