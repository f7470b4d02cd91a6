/** Environment variable that `npm run campaign -- NAME --each COUNT` sets to repeat the tests in a file many times. */
export const CAMPAIGN_EACH = "PURSER_CAMPAIGN_EACH";

const each = process.env[CAMPAIGN_EACH];

/** True in a campaign (a long test run that repeats its tests), false in a normal run of the test suite. */
export const isCampaign = each !== undefined;

/** Returns how many times a test repeats its work: the campaign's count, or `inSuite` in a normal run. */
export function repetitions(inSuite: number): number {
  return each === undefined ? inSuite : Number(each);
}

/** Returns a test's timeout in milliseconds: one hour in a campaign, or `inSuite` in a normal run. */
export function testMaxMs(inSuite: number): number {
  return isCampaign ? 3_600_000 : inSuite;
}
