/** The metadata of an object. */
export function Pairs({ pairs }: { readonly pairs: Readonly<Record<string, string>> }) {
  const entries = Object.entries(pairs);
  if (entries.length === 0) return "None";
  return entries.map(([name, value]) => <div key={name}>{`${name}: ${value}`}</div>);
}
