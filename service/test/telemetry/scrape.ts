/** One line of Prometheus's text format. */
export interface ScrapedSample {
  readonly name: string;
  /** As in the text: `{route="/time",le="1"}`, or empty. */
  readonly labels: string;
  readonly value: string;
}

export function samplesOf(text: string): ScrapedSample[] {
  return [...text.matchAll(/^([a-z_0-9]+)(\{.*\})? (\S+)$/gm)].map(([, name = "", labels = "", value = ""]) => ({
    ...{ name, labels, value },
  }));
}

/** Returns the sum of the samples with this name whose labels contain all these texts. */
export function sumOf(text: string, name: string, ...parts: readonly string[]): number {
  return samplesOf(text)
    .filter((sample) => sample.name === name && parts.every((part) => sample.labels.includes(part)))
    .reduce((sum, { value }) => sum + Number(value), 0);
}
