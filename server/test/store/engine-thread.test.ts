import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { expect, inject, it } from 'vitest'
import { type EngineThread, openEngineThread } from '../../src/store/drivers/engine-thread.ts'

const source = async () => ({ loadDataDir: new Blob([await readFile(inject('databases').pgliteDump)]) })
const openThread = async (): Promise<EngineThread> => openEngineThread(await source())

/** The protocol's message for a text of statements. */
const query = (text: string): Uint8Array<ArrayBuffer> => {
  const body = Buffer.from(`${text}\0`)
  const message = new Uint8Array(5 + body.length)
  message[0] = 'Q'.charCodeAt(0)
  new DataView(message.buffer).setUint32(1, 4 + body.length)
  message.set(body, 5)
  return message
}

const isReady = (answer: Uint8Array): boolean => answer.at(-6) === 'Z'.charCodeAt(0)

it('answers queries in order, including those sent just before close, and rejects later queries', async () => {
  const thread = await openThread()
  const answers = [thread.run(query(`select 'first'`)), thread.run(query(`select 'second'`))]
  await thread.close()
  const [first, second] = (await Promise.all(answers)).map((answer) => [
    isReady(answer),
    Buffer.from(answer).toString(),
  ])
  expect(first).toEqual([true, expect.stringContaining('first')])
  expect(second).toEqual([true, expect.stringContaining('second')])
  await expect(thread.run(query('select 1'))).rejects.toThrow('has ended')
})

it('does not retain queries or answers', async () => {
  const heap = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }
  const worker = new Worker(new URL('../../src/store/drivers/pglite-thread.ts', import.meta.url), {
    workerData: await source(),
    resourceLimits: heap,
  })
  await once(worker, 'message')
  // 200 MB of answers pass through a heap of 64 MB.
  for (let n = 0; n < 40; n += 1) {
    worker.postMessage(query(`select repeat('x', 1000) from generate_series(1, 5000)`))
    const [answer] = await once(worker, 'message')
    expect(isReady(answer)).toBe(true)
  }
  await worker.terminate()
})

it('can be killed during an endless statement, which rejects all pending queries', async () => {
  const thread = await openThread()
  const answers = ['select count(*) from generate_series(1, 100000000000)', 'select 1'].map((text) =>
    thread.run(query(text)),
  )
  const outcomes = Promise.allSettled(answers)
  await thread.kill()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

it('rejects with the reason why it cannot be opened', async () => {
  await expect(openEngineThread({ dataDir: '/dev/null/folder' })).rejects.toMatchObject({ code: 'ENOTDIR' })
})
