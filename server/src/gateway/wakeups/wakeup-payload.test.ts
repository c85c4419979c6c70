import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHintList, type Hint, readPayload } from './wakeup-payload.ts'

const hint: fc.Arbitrary<Hint> = fc.oneof(
  fc.tuple(fc.constant('conversation' as const), fc.string(), fc.string({ maxLength: 200, unit: 'grapheme' })),
  fc.tuple(fc.constant('device' as const), fc.string()),
  fc.tuple(fc.constant('run' as const), fc.string({ minLength: 1 })),
  fc.tuple(fc.constant('deliveries' as const)),
)

const written = (hints: readonly Hint[], capacity = 10_000): string[] => {
  const list = createHintList(capacity)
  for (const each of hints) list.add(each)
  return list.take('process_1')
}

describe('a list of hints', () => {
  it('arrives whole, each hint once, in payloads that PostgreSQL accepts', () => {
    fc.assert(
      fc.property(fc.array(hint, { maxLength: 400 }), (hints) => {
        const payloads = written(hints)
        for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000)
        const different = [...new Map(hints.map((each) => [JSON.stringify(each), each])).values()]
        expect(payloads.flatMap((payload) => readPayload(payload, 'process_2'))).toEqual(different)
      }),
      { numRuns: 50 },
    )
  })

  it('uses as few payloads as possible', () => {
    const hints = Array.from({ length: 1000 }, (_, index): Hint => ['run', `run_${index}`])
    const payloads = written(hints)
    const bytes = Buffer.byteLength(payloads.join(''))
    expect(payloads).toHaveLength(Math.ceil(bytes / 7999))
  })

  it('that is too long becomes one hint that replaces all of them', () => {
    const hints = Array.from({ length: 11 }, (_, index): Hint => ['run', `run_${index}`])
    expect(readPayload(written(hints, 10).join(), 'process_2')).toEqual([['lost']])
    expect(readPayload(written(hints.slice(1), 10).join(), 'process_2')).toHaveLength(10)
  })

  it('is empty after it was taken', () => {
    const list = createHintList(10)
    list.add(['run', 'run_1'])
    list.take('process_1')
    expect([list.isEmpty, list.take('process_1')]).toEqual([true, []])
  })
})

describe('a payload', () => {
  it('from the process itself is ignored', () => {
    expect(readPayload(written([['run', 'run_1']]).join(), 'process_1')).toEqual([])
  })

  it.each(['', 'x', '{}', '"text"', 'null', '[]', '["process_2"]', '["process_2",1,null,{},[],["run"],["run",1]]'])(
    'is ignored if it is invalid: %s',
    (payload) => {
      expect(readPayload(payload, 'process_1')).toEqual([])
    },
  )

  it('is read without its unknown kinds of hints', () => {
    expect(readPayload('["process_2",["new","x"],["device","dev_1"]]', 'process_1')).toEqual([['device', 'dev_1']])
  })
})
