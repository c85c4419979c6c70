import { expect, it } from 'vitest'
import { describeOutbox } from '../../test/support/outbox-suite.ts'
import { ORIGIN } from '../../test/support/settings.ts'
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
