import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inputOf, play } from '../../../test/support/play-assistant.ts'
import { systemTimers } from '../../runtime/timers.ts'
import { createHttp } from './http.ts'

const PROGRAM = fileURLToPath(new URL('../../../../examples/python-http-assistant/assistant.py', import.meta.url))

describe('the http assistant in Python', () => {
  let child: ChildProcess
  let port = ''
  beforeAll(async () => {
    child = spawn('python3', [PROGRAM], {
      env: {
        PATH: process.env.PATH,
        PYTHONDONTWRITEBYTECODE: '1',
        ASSISTANT_SECRET: 'whsec_old,whsec_new',
        PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    if (child.stdout === null) throw new Error('the program has no output')
    const [line] = await once(createInterface(child.stdout), 'line')
    port = String(line).split(' ').at(-1) ?? ''
  })
  afterAll(async () => {
    const exited = once(child, 'exit')
    child.kill()
    await exited
  })

  const ask = (
    text: string,
    { secret = 'whsec_new', ageMs = 0, decision = 'approved' as 'approved' | 'denied' } = {},
  ) => {
    const assistant = createHttp(
      {
        openTarget: async () => ({ url: new URL(`http://127.0.0.1:${port}/`), secret }),
        tokenOf: () => 'gr_token',
        firstByteMs: 60_000,
      },
      { timers: systemTimers, nowMs: () => Date.now() - ageMs, log: { warn: () => {} } },
    )
    return play(assistant, { input: inputOf({ text, data: null, resourceIds: [] }) }, decision)
  }

  it.each(['whsec_old', 'whsec_new'])('streams its answer to a run that is signed with %s', async (secret) => {
    const { steps, outcome } = await ask('Grüße dich', { secret })
    expect(steps.map((step) => Object(step).delta)).toEqual(['You ', 'said: ', 'Grüße ', 'dich '])
    expect(outcome).toEqual({ state: 'succeeded' })
  })

  it.each([{ secret: 'whsec_foreign' }, { ageMs: 301_000 }])('refuses a run with %j', async (fault) => {
    expect((await ask('hello', fault)).outcome).toMatchObject({ error: { code: 'ASSISTANT_REFUSED' } })
  })

  it.each(['approved', 'denied'] as const)('resumes with its state after an approval is %s', async (decision) => {
    const { steps, outcome } = await ask('refund order 7', { decision })
    expect(steps).toEqual([{ approval: 'May I refund order 7?' }, { delta: `refund order 7: ${decision}` }])
    expect(outcome).toEqual({ state: 'succeeded' })
  })

  it('has at most 80 lines', async () => {
    expect((await readFile(PROGRAM, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(80)
  })
})
