import assert from 'node:assert/strict'
import type { ServerCheck, ServerContext } from '../../../kit/server/context.ts'
import { expectRefusal } from '../../../kit/server/expectations.ts'
import type { Answer } from '../../../kit/server/wire.ts'
import type { WorkRoute } from '../../../kit/steps/work-routes.ts'
import { expectAdmitted, openWorkRoutes, refuseOnBothRoutes } from '../../../kit/steps/work-routes.ts'

/** Integers that no double represents exactly; the last one does not fit into 64 bits. */
const INEXACT = ['9007199254740993', '-9007199254740993', '10000000000000001', '1234567890123456789012345']
const TOO_LARGE = ['1e309', '-1e309', '1e999999', `1${'0'.repeat(400)}`]
/** Integers that a double represents exactly, in several spellings. */
const EXACT = [
  '9007199254740991',
  '9007199254740992',
  '-9007199254740994',
  '18014398509481984',
  '1e22',
  '1e308',
  '0',
  '-0',
]
const FRACTIONS = ['0.1', '0.12345678901234567890123', '9007199254740993.5', '1.0', '1e-400', `0.${'3'.repeat(500)}`]

const list = (count: number): string => `[${Array(count).fill('0').join()}]`
const members = (count: number): string => Array.from({ length: count }, (_, index) => `"m${index}":0`).join()

const withData = ({ frame, postText }: WorkRoute, data: string): Promise<Answer> =>
  postText(`{${JSON.stringify(frame).slice(1, -1)},"input":{"data":${data}}}`)

/** Fails unless each number is refused at any depth of the body, with a pointer to it. */
const refuseNumbers = async (t: ServerContext, numbers: readonly string[]): Promise<void> => {
  await refuseOnBothRoutes(t, async (route) => {
    for (const number of numbers)
      for (const [data, place] of [
        [`{"a":${number}}`, '/input/data/a'],
        [`{"a":[1,{"b/c":[${number}]}]}`, '/input/data/a/1/b~1c/0'],
      ] as const)
        expectPlace(await withData(route, data), place, `${route.name} with ${number.slice(0, 30)}`)
  })
  const [number = ''] = numbers
  const { conversation_id: id } = await t.conversation()
  for (const path of [`/conversations/${id}/messages`, `/conversations/${id}/reset`]) {
    const body = `{"expected_generation":${number}${path.endsWith('reset') ? '' : ',"input":{"text":"x"}'}}`
    expectPlace(await t.me.postText(path, body), '/expected_generation', `expected_generation at ${path}`)
  }
}

const expectPlace = (answer: Answer, place: string, what: string): void => {
  expectRefusal(answer, 400, 'INVALID_REQUEST')
  const { errors } = Object(answer.body)
  const places = Array.isArray(errors) ? errors.map(({ pointer }) => String(pointer)) : []
  assert.ok(places.includes(place), `${what}: expected a fault at ${place}, got ${places.join(', ') || 'none'}`)
}

const admit = async (t: ServerContext, numbers: readonly string[]): Promise<void> => {
  for (const route of await openWorkRoutes(t))
    await expectAdmitted(
      `${route.name} with ${numbers.join().slice(0, 100)}`,
      withData(route, `{"a":[${numbers.join()}]}`),
    )
}

export const checks: readonly ServerCheck[] = [
  {
    id: 'requests/inexact-integers',
    title: 'an integer that a double cannot represent is refused with its pointer, at any depth; others are accepted',
    rules: ['REQ-14'],
    run: async (t) => {
      await refuseNumbers(t, INEXACT)
      await admit(t, EXACT)
    },
  },
  {
    id: 'requests/numbers-beyond-range',
    title: 'a number larger than any double is refused with its pointer, at any depth',
    rules: ['REQ-15'],
    run: (t) => refuseNumbers(t, TOO_LARGE),
  },
  {
    id: 'requests/fractions',
    title: 'fractions are accepted with any number of digits',
    rules: ['REQ-16'],
    run: (t) => admit(t, FRACTIONS),
  },
  {
    id: 'requests/many-values',
    title: 'a body of more than 50,000 values and members is 400; one of 40,000 is admitted',
    rules: ['REQ-17'],
    tags: ['limit', 'security'],
    run: async (t) => {
      await refuseOnBothRoutes(t, async (route) => {
        for (const data of [`{"a":${list(50_001)}}`, `{${members(50_001)}}`, `{"a":[${list(30_000)},${list(30_000)}]}`])
          expectRefusal(await withData(route, data), 400, 'INVALID_REQUEST')
      })
      for (const route of await openWorkRoutes(t)) {
        await expectAdmitted(`${route.name} with 40,000 items`, withData(route, `{"a":${list(40_000)}}`))
        await expectAdmitted(`${route.name} with 20,000 members`, withData(route, `{${members(20_000)}}`))
      }
    },
  },
  {
    id: 'errors/listed-faults',
    title: 'at most 20 faults are listed, and more_faults is true if there are more',
    rules: ['ERR-40'],
    run: async (t) => {
      const { conversation_id: id } = await t.conversation()
      const unknown = (count: number) =>
        t.me.post(`/conversations/${id}/messages`, {
          expected_generation: 1,
          input: { text: 'x', ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 0])) },
        })
      // A gateway may list fewer than 20 faults (D-64).
      for (const count of [1, 20, 21, 500, 20_000]) {
        const { errors, more_faults: more } = Object(expectRefusal(await unknown(count), 400).body)
        const listed = Object(errors).length
        assert.ok(listed >= 1 && listed <= 20, `${listed} of ${count} faults are listed, expected 1 to 20`)
        if (listed === 20)
          assert.equal(more === true, count > 20, `more_faults is ${more} for ${count} faults, of which 20 are listed`)
        if (count === 1) assert.notEqual(more, true, 'more_faults is true for a single fault')
      }
    },
  },
]
