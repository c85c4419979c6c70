/** The files that are missing, changed or left over, compared with the expected files. Sorted. */
export function findStale(wanted: ReadonlyMap<string, string>, present: ReadonlyMap<string, string>): string[] {
  const files = new Set([...wanted.keys(), ...present.keys()])
  return [...files].filter((file) => wanted.get(file) !== present.get(file)).sort()
}
