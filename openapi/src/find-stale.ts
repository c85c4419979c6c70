/** The files that differ between what should be there and what is: missing, changed, or left over. Sorted. */
export function findStale(wanted: ReadonlyMap<string, string>, present: ReadonlyMap<string, string>): string[] {
  const files = new Set([...wanted.keys(), ...present.keys()])
  return [...files].filter((file) => wanted.get(file) !== present.get(file)).sort()
}
