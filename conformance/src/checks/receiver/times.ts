import { UntestableError } from '../../kit/check.ts'
import { headerOf, nowSeconds } from '../../kit/receiver/callback.ts'
import { isAccepted } from '../../kit/receiver/post.ts'
import type { ReceiverCheck, ReceiverContext } from '../../kit/receiver/receiver-context.ts'

const aged = ({ make }: ReceiverContext, seconds: number) => make({ timestamp: String(nowSeconds() - seconds) })

const MAX_TRIES = 40

/**
 * Posts callbacks of exactly this age until one is created and answered within the same second of the clock, so that
 * its age does not change in transit. Returns whether that callback was accepted.
 */
const acceptsAtAge = async (context: ReceiverContext, seconds: number): Promise<boolean> => {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const callback = aged(context, seconds)
    const answer = await context.post(callback)
    if (nowSeconds() - seconds !== Number(headerOf(callback, 'webhook-timestamp'))) continue
    return isAccepted(answer)
  }
  throw new UntestableError('No callback could be created and answered within the same second of the clock.')
}

const expectEdge = async (context: ReceiverContext, direction: 1 | -1): Promise<void> => {
  const { clockToleranceSeconds } = context
  // A timestamp counts whole seconds, so one that is 300 seconds old may be up to a second older.
  const within = direction * ((direction === 1 ? 299 : 300) - clockToleranceSeconds)
  const beyond = direction * (301 + clockToleranceSeconds)
  if (!(await acceptsAtAge(context, within)))
    throw new Error(`A timestamp ${describe(within)} must be accepted, and was not`)
  if (await acceptsAtAge(context, beyond))
    throw new Error(`A timestamp ${describe(beyond)} must be refused, and was not`)
}

const describe = (age: number): string => `${Math.abs(age)} seconds ${age < 0 ? 'ahead' : 'old'}`

export const checks: readonly ReceiverCheck[] = [
  {
    id: 'times/old',
    title: 'a callback up to 300 seconds old is accepted, and an older one is refused',
    rules: ['SIG-13'],
    run: async (context) => {
      const { clockToleranceSeconds: tolerance } = context
      for (const age of [0, 1, 60, 290 - tolerance]) await context.expectAccepted(describe(age), aged(context, age))
      for (const age of [302 + tolerance, 600, 3_600, 86_400, 1_000_000_000])
        await context.expectRefused(describe(age), aged(context, age))
    },
  },
  {
    id: 'times/ahead',
    title: 'a callback up to 300 seconds ahead is accepted, and one further ahead is refused',
    rules: ['SIG-13'],
    run: async (context) => {
      const { clockToleranceSeconds: tolerance } = context
      for (const age of [-1, -60, tolerance - 290]) await context.expectAccepted(describe(age), aged(context, age))
      // Timestamps ahead of the clock come closer to it while the request is in transit.
      for (const age of [-360 - tolerance, -600, -3_600, -86_400, -1_000_000_000])
        await context.expectRefused(describe(age), aged(context, age))
    },
  },
  {
    id: 'times/out-of-range',
    title: 'a timestamp far in the past or far in the future is refused, however many digits it has',
    rules: ['SIG-13'],
    run: async (context) => {
      await context.expectAccepted('A callback with the current time', context.make())
      for (const timestamp of ['0', '1', '99999999999999999999', '9'.repeat(400), String(2 ** 53)])
        await context.expectRefused(`The timestamp ${timestamp.slice(0, 30)}`, context.make({ timestamp }))
    },
  },
  {
    id: 'times/edge-old',
    title: 'a timestamp less than 300 seconds old is accepted, one 301 seconds old is refused',
    rules: ['LIMIT-18'],
    tags: ['limit'],
    run: (context) => expectEdge(context, 1),
  },
  {
    id: 'times/edge-ahead',
    title: 'a timestamp 300 seconds ahead is accepted, one 301 seconds ahead is refused',
    rules: ['LIMIT-18'],
    tags: ['limit'],
    run: (context) => expectEdge(context, -1),
  },
]
