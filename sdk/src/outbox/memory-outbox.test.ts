import { expect, it } from 'vitest'
import { all } from '../../test/support/all.ts'
import { createManualTiming } from '../../test/support/manual-timing.ts'
import { advancing } from '../../test/support/outbox-client.ts'
import { describeOutbox } from '../../test/support/outbox-suite.ts'
import { handleOf, ORIGIN } from '../../test/support/settings.ts'
import { createClient } from '../client/create-client.ts'
import { createOutbox } from './create-outbox.ts'
import { memoryStore } from './memory-outbox.ts'

describeOutbox('memory', async () => {
  const store = memoryStore()
  return () => createOutbox(store)
})

it('recover() without an outbox throws and names the option', () => {
  expect(() => createClient({ baseUrl: ORIGIN, apiKey: 'gk_1' }).recover()).toThrow(
    new TypeError('recover() needs the option outbox.'),
  )
})

it('a recovery reads the store as often for ten held entries as for two', async () => {
  const readsFor = async (count: number): Promise<number> => {
    const store = memoryStore()
    const recorded = createManualTiming()
    for (let index = 0; index < count; index += 1) await createOutbox(store).record(handleOf(`key-${index}`), recorded)
    let reads = 0
    const counting = createOutbox({
      ...store,
      list: () => {
        reads += 1
        return store.list()
      },
    })
    const timing = createManualTiming()
    expect(await advancing(timing, all(counting.leftovers(ORIGIN, timing)))).toHaveLength(count)
    return reads
  }
  expect(await readsFor(10)).toBe(await readsFor(2))
})
