import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallbackEvent } from '@conversation-gateway/sdk/callbacks'
import { expect, onTestFinished, test } from 'vitest'
import { openJournalStore, readStored } from './journal-store.ts'

const BODY = '{"payload":{"a":{}}}'
const event = { event_id: 'evt_1', run_id: 'run_1', conversation_id: 'conv_1' } as CallbackEvent
const delivery = { event, body: new TextEncoder().encode(BODY), bodySha256: 'hash' }

test('after a crash at any byte of a line, the store opens and handles the event of that line anew', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'journal')
  await (await openJournalStore(path)).record(delivery, async () => {})
  const line = (await readFile(path)).subarray(1, -1)
  for (let length = 1; length < line.length; length += 1) {
    await writeFile(path, line.subarray(0, length))
    let handled = 0
    const store = await openJournalStore(path)
    const record = () =>
      store.record(delivery, async () => {
        handled += 1
      })
    expect([await record(), await record(), handled]).toEqual(['new', 'duplicate', 1])
    expect(await readStored(path, 'evt_1')).toMatchObject({ body: BODY, handled: 1 })
  }
})
