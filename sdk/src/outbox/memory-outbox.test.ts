import { expect, it } from 'vitest'
import { describeOutbox } from '../../test/support/outbox-suite.ts'
import { ORIGIN } from '../../test/support/settings.ts'
import { createClient } from '../client/create-client.ts'
import { memoryOutbox } from './memory-outbox.ts'

describeOutbox('memory', async () => memoryOutbox())

it('recovering without an outbox names the option', async () => {
  await expect(createClient({ baseUrl: ORIGIN, apiKey: 'gk_1' }).recover()).rejects.toThrow(
    'recover() needs the option outbox.',
  )
})
