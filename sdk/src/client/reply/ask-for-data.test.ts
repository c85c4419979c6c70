import { type } from 'arktype'
import * as v from 'valibot'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { startTestGateway } from '../../../test/support/test-gateway.ts'
import { OutputMismatchError, RunFailedError, type StandardSchema } from '../../index.ts'

const { gateway, client } = startTestGateway()
afterEach(() => gateway.reset())

const Order = z.object({ order: z.string(), arrives: z.iso.date().transform((text) => new Date(text)) })
const ask = (output = Order) => client.ask({ endpoint_id: 'ep_test' }, 'Where is it?', { output })
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it has data'),
    (error: unknown) => error,
  )

describe('asking for data', () => {
  it('returns the typed output of the schema, and the text', async () => {
    gateway.reply([{ delta: 'On its way.' }, { succeed: { data: { order: '4711', arrives: '2026-12-01' } } }])
    const reply = ask()
    let text = ''
    for await (const piece of reply) text += piece
    const data = await reply.data()
    expectTypeOf(data).toEqualTypeOf<{ order: string; arrives: Date }>()
    expect([text, data]).toEqual(['On its way.', { order: '4711', arrives: new Date('2026-12-01') }])
  })

  it('takes schemas of Valibot and ArkType as well', async () => {
    const schemas = [v.object({ order: v.string() }), type({ order: 'string' })]
    for (const output of schemas) {
      gateway.reply([{ succeed: { data: { order: '4711' } } }], [{ succeed: { data: { order: 4711 } } }])
      const ask = () => client.ask({ endpoint_id: 'ep_test' }, 'Where is it?', { output }).data()
      const data = await ask()
      expectTypeOf(data).toEqualTypeOf<{ order: string }>()
      expect(data).toEqual({ order: '4711' })
      expect(await failureOf(ask())).toMatchObject({
        name: 'OutputMismatchError',
        message: expect.stringContaining('/order '),
      })
    }
  })

  it('waits for an asynchronous schema of any library', async () => {
    gateway.reply([{ succeed: { data: { n: 2 } } }])
    const twice: StandardSchema<number> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: async (value) => ({ value: (value as { n: number }).n * 2 }),
      },
    }
    expect(await client.ask({ endpoint_id: 'ep_test' }, 'Twice?', { output: twice }).data()).toBe(4)
  })

  it('rejects with every issue of mismatching data, and with the data', async () => {
    gateway.reply([{ succeed: { data: { order: 4711, arrives: 'soon' } } }])
    const error = await failureOf(ask().data())
    expect(error).toBeInstanceOf(OutputMismatchError)
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Run run_\w+ has data that does not match the schema: \/order .*; \/arrives /),
      runId: expect.stringMatching(/^run_/),
      issues: [{ path: ['order'] }, { path: ['arrives'] }],
      data: { order: 4711, arrives: 'soon' },
    })
  })

  it('rejects if the run has no data', async () => {
    gateway.reply('Just text')
    expect(await failureOf(ask().data())).toMatchObject({
      name: 'OutputMismatchError',
      message: expect.stringContaining('has no data'),
      data: undefined,
    })
  })

  it('rejects like reading the text if the run failed, with the partial text', async () => {
    gateway.reply([{ delta: 'Half' }, { fail: { code: 'MODEL_AWAY', message: 'It is away.', retryable: true } }])
    const error = await failureOf(ask().data())
    expect(error).toBeInstanceOf(RunFailedError)
    expect(error).toMatchObject({ state: 'failed', text: 'Half', error: { code: 'MODEL_AWAY' } })
  })

  it('refuses a value that is not a schema at once, and sends nothing', () => {
    // @ts-expect-error a JSON Schema is not a Standard Schema
    expect(() => client.ask({ endpoint_id: 'ep_test' }, 'Hi', { output: { type: 'object' } })).toThrow(
      'output is not a Standard Schema',
    )
    expect(gateway.conversations).toEqual([])
  })
})
