import { oneAtATime } from './one-at-a-time.ts'

interface Waiting<Key, Value> {
  readonly key: Key
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches single look-ups. The first round begins at once; look-ups that arrive during a round form the next one, at
 * most `atMost` of them. Each round starts its query when `collect` resolves, by default in the next microtask. `find`
 * answers in the order of its keys; if it fails, all look-ups of its round fail.
 */
export const batchLookups = <Key, Value>(
  find: (keys: readonly Key[]) => Promise<readonly Value[]>,
  atMost: number,
  collect: () => Promise<void> = async () => {},
): ((key: Key) => Promise<Value>) => {
  const waiting: Waiting<Key, Value>[] = []
  const round = oneAtATime(
    async () => {
      await collect()
      const batch = waiting.splice(0, atMost)
      if (batch.length === 0) return
      try {
        const values = await find(batch.map(({ key }) => key))
        if (values.length !== batch.length) throw new Error(`${values.length} answers to ${batch.length} look-ups`)
        for (const [index, value] of values.entries()) batch[index]?.resolve(value)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      if (waiting.length > 0) void round()
    },
    () => {},
  )
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      void round()
    })
}
