/** Set by `npm run campaign -- NAME --each COUNT`, which runs a test file with many repetitions. */
export const CAMPAIGN_EACH = "PURSER_CAMPAIGN_EACH";

const each = process.env[CAMPAIGN_EACH];

/** Whether a campaign runs, not the test suite. */
export const isCampaign = each !== undefined;

/** The number of repetitions of a test: the campaign's, or `inSuite`. */
export function repetitions(inSuite: number): number {
  return each === undefined ? inSuite : Number(each);
}

/** The timeout of a test in milliseconds. In a campaign it is an hour. */
export function testMaxMs(inSuite: number): number {
  return isCampaign ? 3_600_000 : inSuite;
}
