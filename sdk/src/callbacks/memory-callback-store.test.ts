import { expect, it, vi } from 'vitest'
import { type CallbackDelivery, memoryCallbackStore } from './callback-store.ts'

const delivery = (id: string, bodySha256 = 'aa'): CallbackDelivery => ({
  event: {
    conversation_id: 'conv_1',
    generation: 1,
    event_id: id,
    seq: 1,
    run_id: 'run_1',
    message_id: 'msg_1',
    type: 'approval.required',
    payload: { approval_id: 'appr_1', summary: 'Send it?' },
  },
  body: new Uint8Array(),
  bodySha256,
})
const nothing = async (): Promise<void> => {}

it('distinguishes new, duplicate and conflicting deliveries', async () => {
  const store = memoryCallbackStore()
  expect(await store.record(delivery('evt_1', 'aa'), nothing)).toBe('new')
  expect(await store.record(delivery('evt_1', 'aa'), nothing)).toBe('duplicate')
  expect(await store.record(delivery('evt_1', 'bb'), nothing)).toBe('conflicting')
  expect(await store.record(delivery('evt_2', 'aa'), nothing)).toBe('new')
})

it('makes concurrent deliveries of one event wait for the first', async () => {
  const store = memoryCallbackStore()
  const handling = Promise.withResolvers<void>()
  const handle = vi.fn(() => handling.promise)
  const all = Promise.all(['aa', 'aa', 'bb'].map((hash) => store.record(delivery('evt_1', hash), handle)))
  handling.resolve()
  expect(await all).toEqual(['new', 'duplicate', 'conflicting'])
  expect(handle).toHaveBeenCalledOnce()
})

it('treats the next waiting delivery as new when the first fails', async () => {
  const store = memoryCallbackStore()
  const handle = vi.fn(nothing).mockRejectedValueOnce(new Error('not now'))
  const all = await Promise.allSettled([1, 2, 3].map(() => store.record(delivery('evt_1'), handle)))
  expect(all.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))).toEqual([
    'failed',
    'new',
    'duplicate',
  ])
  expect(handle).toHaveBeenCalledTimes(2)
})

it('forgets the oldest event above its limit', async () => {
  const store = memoryCallbackStore({ maxEvents: 2 })
  for (const id of ['evt_1', 'evt_2', 'evt_3']) await store.record(delivery(id), nothing)
  expect(await store.record(delivery('evt_3'), nothing)).toBe('duplicate')
  expect(await store.record(delivery('evt_2'), nothing)).toBe('duplicate')
  expect(await store.record(delivery('evt_1'), nothing)).toBe('new')
})
