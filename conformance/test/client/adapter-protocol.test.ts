import { describe, expect, it } from 'vitest'
import { startAdapter } from '../../src/kit/client/adapter-process.ts'
import type { ClientConfig } from '../../src/kit/config/client-config.ts'

const HELLO = { hello: { protocol: 1, name: 'test', abilities: ['read_run'] } }

/** An adapter that writes its hello, and then runs this code for the first line that it reads. */
const adapter = (answer: string, hello: unknown = HELLO): ClientConfig => ({
  command: [
    process.execPath,
    '-e',
    `console.log(${JSON.stringify(JSON.stringify(hello))}); process.stdin.once('data', () => { ${answer} })`,
  ],
  deadlines: { startMs: 20_000, stepMs: 20_000 },
})

const callOnce = async (answer: string): Promise<unknown> => {
  const process = await startAdapter(adapter(answer))
  try {
    return await process.execute('read_run', { run_id: 'run_1' }).result
  } finally {
    await process.kill()
  }
}

describe('an adapter process', () => {
  it('returns its hello and its results', async () => {
    const process = await startAdapter(adapter('console.log(`{"id":1,"result":{"text":"\\u2028"}}`)'))
    expect(process.hello).toEqual({ name: 'test', abilities: ['read_run'] })
    const execution = process.execute('read_run', { run_id: 'run_1' })
    await expect(execution.result).resolves.toEqual({ text: '\u2028' })
    await process.kill()
  })

  it('returns items before the result', async () => {
    const process = await startAdapter(
      adapter('console.log(`{"id":1,"item":{"n":1}}\\n{"id":1,"item":{"n":2}}\\n{"id":1,"result":{}}`)'),
    )
    const execution = process.execute('watch_run', { run_id: 'run_1' })
    await execution.result
    expect(execution.items).toEqual([{ n: 1 }, { n: 2 }])
    await process.kill()
  })

  it('returns errors in the form of the protocol', async () => {
    const error = '{"id":1,"error":{"kind":"refused","status":404,"code":"NOT_FOUND"}}'
    await expect(callOnce(`console.log('${error}')`)).rejects.toMatchObject({
      kind: 'refused',
      details: { status: 404 },
    })
  })

  it.each([
    ['writes a line that is not JSON', "console.log('debug: here')", /not a JSON object: debug: here/],
    ['answers an unknown command', `console.log('{"id":7,"result":{}}')`, /answered an unknown command/],
    [
      'writes a line without item, result or error',
      `console.log('{"id":1,"value":{}}')`,
      /without item, result or error/,
    ],
    [
      'exits',
      "console.error('out of memory'); process.exitCode = 3; process.stdin.destroy()",
      /exit code 3.*out of memory/,
    ],
  ])('rejects the command if the adapter %s', async (_what, answer, message) => {
    await expect(callOnce(answer)).rejects.toThrow(message)
  })

  it('fails to start without its hello or its program', async () => {
    await expect(startAdapter(adapter('', { protocol: 1 }))).rejects.toThrow('first line must be its hello')
    await expect(startAdapter({ command: ['no-such-program-anywhere'] })).rejects.toThrow('could not be started')
  })
})
