/** Random bodies from a seed: valid, nearly valid or invalid by the schemas; mostly small, sometimes a megabyte. */
export interface FuzzedBody {
  readonly path: string
  readonly body: string
}

const MAX_BYTES = 1024 * 1024
const SMALLEST_BYTES = 32

/** Mulberry32: the same numbers for the same seed on every machine. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const createFuzzer = (random: () => number, paths: readonly string[]): (() => FuzzedBody) => {
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[Math.floor(random() * items.length)] ?? items[0]
  /** Sizes spread evenly over orders of magnitude. */
  const size = (): number => Math.floor(SMALLEST_BYTES * (MAX_BYTES / SMALLEST_BYTES) ** random())
  const fill = (bytes: number, item: (n: number) => string): string => {
    const items: string[] = []
    for (let length = 0, n = 0; length < bytes; n += 1) {
      const next = item(n)
      items.push(next)
      length += next.length + 1
    }
    return items.join(',')
  }
  const ATOMS = ['0', '-1', '1.5', '1e999', '9007199254740993', 'null', 'true', '""', '"text"', '[]', '{}'] as const
  const TEXTS = ['a', 'ä', '\\n', '\\u0000', '\\ud800', '\\ud83d\\ude00', '"', '\\', '<', ' '] as const
  const text = (bytes: number): string => {
    const piece = pick(TEXTS)
    return `"${piece.repeat(Math.ceil(bytes / piece.length))}"`
  }
  const values: readonly [(bytes: number) => string, ...((bytes: number) => string)[]] = [
    text,
    (bytes) => `[${fill(bytes, () => pick(ATOMS))}]`,
    (bytes) => `{${fill(bytes, (n) => `"m${n}":${pick(ATOMS)}`)}}`,
    (bytes) => `{${fill(bytes, () => `"${pick(['a', '__proto__', 'constructor', '0', '\\u0061'])}":${pick(ATOMS)}`)}}`,
    (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
    (bytes) => `{"a":[${fill(bytes, (n) => `{"b":${n},"c":{"d":"${n}"}}`)}]}`,
    (bytes) => `"${'x'.repeat(bytes)}"`,
  ]
  const value = (): string => pick(values)(size())
  const shapes: readonly [() => string, ...(() => string)[]] = [
    () => `{"expected_generation":1,"input":{"text":${value()}}}`,
    () => `{"expected_generation":1,"input":{"data":${value()}}}`,
    () => `{"expected_generation":1,"input":{"data":{"a":${value()}}}}`,
    () => `{"expected_generation":1,"input":{"resource_ids":${value()}}}`,
    () => `{"expected_generation":${value()},"input":{"text":"a"}}`,
    () => `{"expected_generation":1,"input":${value()}}`,
    () => `{"expected_generation":1,"input":{"text":"a"},"start_before":${value()}}`,
    () => `{"endpoint_id":"ep_attack","conversation_key":${value()}}`,
    () => `{"endpoint_id":${value()}}`,
    value,
    () => value().slice(0, -1),
    () => ' '.repeat(size()),
  ]
  return () => ({ path: paths[Math.floor(random() * paths.length)] ?? '/', body: pick(shapes)().slice(0, MAX_BYTES) })
}
