import { expect, it } from 'vitest'
import { createManualTimers } from '../../test/support/manual-timers.ts'
import { createRequest } from '../../test/support/play-assistant.ts'
import type { Assistant } from '../assistants/assistant.ts'
import { createModuleAssistant } from '../assistants/module.ts'
import { createLogger } from '../runtime/log.ts'
import { driveAssistant } from './drive-assistant.ts'
import { createStop } from './stop.ts'

const throws = (): never => {
  throw new Error('not readable')
}
const TRAPS = Object.fromEntries(Reflect.ownKeys(Reflect).map((trap) => [trap, throws]))
const HOSTILE: readonly [string, unknown][] = [
  ['an error with a getter that throws', Object.defineProperty(new Error('x'), 'y', { enumerable: true, get: throws })],
  ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: throws })],
  ['a proxy that throws', new Proxy(new Error('x'), TRAPS)],
  ['an object with a toJSON that throws', { toJSON: throws, toString: throws }],
  ['a symbol', Symbol('x')],
  ['null', null],
]

const drive = (assistant: Assistant) => {
  const lines: string[] = []
  const log = createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } })
  const stop = createStop(createManualTimers())
  return driveAssistant(assistant, createRequest(), () => undefined, stop, log)
}

const FAILED = { state: 'failed', error: { code: 'ASSISTANT_ERROR' } }

it.each(HOSTILE)('an assistant that throws %s fails its run', async (_, thrown) => {
  const assistant = createModuleAssistant(
    async () =>
      // biome-ignore lint/correctness/useYield: it fails before it yields.
      async function* () {
        throw thrown
      },
    'inline',
  )
  expect(await drive(assistant)).toMatchObject(FAILED)
})

it.each(HOSTILE)('an assistant that yields %s fails its run', async (_, value) => {
  const assistant = createModuleAssistant(
    async () =>
      async function* () {
        yield value
      },
    'inline',
  )
  expect(await drive(assistant)).toMatchObject(FAILED)
})

it.each(HOSTILE)('an assistant that returns %s ends its run', async (_, value) => {
  const assistant = createModuleAssistant(
    async () =>
      // biome-ignore lint/correctness/useYield: it ends before it yields.
      async function* () {
        return value
      },
    'inline',
  )
  expect(await drive(assistant)).toMatchObject(FAILED)
})
