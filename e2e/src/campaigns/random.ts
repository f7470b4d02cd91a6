/** Returns a random whole number from 0 to below `below`. */
export function random(below: number): number {
  return Math.floor(Math.random() * below);
}

export function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`There is no item ${index}.`);
  return item;
}
