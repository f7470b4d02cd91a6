/** Set by `npm run campaign -- NAME --each COUNT`, which runs a test file at length. */
export const CAMPAIGN_EACH = "PURSER_CAMPAIGN_EACH";

const each = process.env[CAMPAIGN_EACH];

/** Whether this is the long version, outside the suite. */
export const isCampaign = each !== undefined;

/** How often a test repeats what it does: as often as a campaign asks for, or this often in the suite. */
export function repetitions(inSuite: number): number {
  return each === undefined ? inSuite : Number(each);
}

/** How long a test may take, in milliseconds. A campaign has an hour. */
export function testMaxMs(inSuite: number): number {
  return isCampaign ? 3_600_000 : inSuite;
}
