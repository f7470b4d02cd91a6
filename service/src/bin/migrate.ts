import { migrate, OldSchemaError } from "../db/migrate.ts";

const ownerUrl = process.env["DATABASE_OWNER_URL"];
if (ownerUrl === undefined) {
  console.error("Set DATABASE_OWNER_URL to the URL of the database with its owner's role.");
  process.exitCode = 1;
} else {
  try {
    const applied = await migrate({ ownerUrl });
    console.log(applied.length === 0 ? "Nothing to migrate." : `Applied ${applied.join(", ")}.`);
  } catch (error) {
    if (!(error instanceof OldSchemaError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
