import { type Callback, eventOf, newEventId, nowSeconds } from '../../kit/receiver/callback.ts'
import { isAccepted } from '../../kit/receiver/post.ts'
import type { ReceiverCheck, ReceiverContext } from '../../kit/receiver/receiver-context.ts'

/** The same event with a new signature and a timestamp `laterSeconds` ahead. */
const again = ({ make }: ReceiverContext, { eventId, body }: Callback, laterSeconds = 0): Callback =>
  make({ id: eventId, body, timestamp: String(nowSeconds() + laterSeconds) })

const changed = ({ make }: ReceiverContext, { eventId }: Callback, changes: object): Callback =>
  make({ id: eventId, body: JSON.stringify(eventOf(eventId, { ...changes })) })

/** Expects the content to be stored, and to be handled once if the receiver reports how often it handled the event. */
const expectHandledOnce = async ({ driver }: ReceiverContext, { eventId, body }: Callback): Promise<void> => {
  const stored = await driver.stored(eventId)
  if (stored?.body !== Buffer.from(body).toString('utf8'))
    throw new Error(`The first content must stay stored, but the store has ${JSON.stringify(stored)}`)
  if ((stored.handled ?? 1) !== 1) throw new Error(`An event must be handled once, but was ${stored.handled} times`)
}

const expectConflict = async (context: ReceiverContext, what: string, callback: Callback): Promise<void> => {
  const answer = await context.post(callback)
  if (isAccepted(answer))
    throw new Error(`${what} under the same ID must be a conflict, but got the status ${answer?.status}`)
}

export const checks: readonly ReceiverCheck[] = [
  {
    id: 'repeats/identical',
    title: 'an identical repeat is a duplicate: accepted with any valid signature, and not a new event',
    rules: ['CB-38'],
    needs: ['stored'],
    run: async (context) => {
      const first = context.make()
      await context.expectAccepted('The event', first)
      await context.expectAccepted('The same request', first)
      await context.expectAccepted('The event, signed anew', again(context, first, 1))
      await context.expectAccepted('The event with a later signature', again(context, first, 120))
      await expectHandledOnce(context, first)
      await expectConflict(context, 'Other content', changed(context, first, { seq: 13 }))
    },
  },
  {
    id: 'repeats/forged',
    title: 'a repeat without a valid signature is refused, even if the event is known',
    rules: ['CB-38'],
    tags: ['security'],
    run: async (context) => {
      const first = context.make()
      await context.expectAccepted('The event', first)
      const forged = context.make({ id: first.eventId, body: first.body, signed: { body: 'something else' } })
      if (isAccepted(await context.post(forged))) throw new Error('A forged repeat must be refused')
      const old = context.make({ id: first.eventId, body: first.body, timestamp: String(nowSeconds() - 1_000) })
      if (isAccepted(await context.post(old))) throw new Error('A repeat with an old timestamp must be refused')
      await context.expectAccepted('The event once more', again(context, first))
    },
  },
  {
    id: 'repeats/changed-content',
    title: 'other content under a known ID is a conflict, and the first content stays',
    rules: ['CB-39'],
    needs: ['stored'],
    run: async (context) => {
      const first = context.make()
      await context.expectAccepted('The event', first)
      const changes = {
        'Another type': { type: 'run.failed' },
        'Another result': { payload: { state: 'succeeded', result: { text: 'Something else' } } },
        'Another run': { run_id: 'run_other' },
        'Another seq': { seq: 13 },
        'An additional member': { added: true },
      }
      for (const [what, change] of Object.entries(changes))
        await expectConflict(context, what, changed(context, first, change))
      await expectHandledOnce(context, first)
      await context.expectAccepted('The event once more', again(context, first))
    },
  },
  {
    id: 'repeats/changed-back',
    title: 'conflicting content stays a conflict, however often it arrives',
    rules: ['CB-39'],
    run: async (context) => {
      const first = context.make()
      await context.expectAccepted('The event', first)
      const other = changed(context, first, { seq: 13 })
      for (let times = 0; times < 3; times++) await expectConflict(context, 'Other content', other)
      await context.expectAccepted('The event once more', again(context, first))
    },
  },
  {
    id: 'repeats/changed-at-once',
    title:
      'of two bodies sent concurrently under one ID at most one is accepted, and a repeat of the other is a conflict',
    rules: ['CB-39'],
    tags: ['race'],
    needs: ['stored'],
    run: async (context) => {
      for (let rounds = 0; rounds < 5; rounds++) {
        const first = context.make()
        const other = changed(context, first, { seq: 13 })
        const answers = await Promise.all([context.post(first), context.post(other)])
        const accepted = [first, other].filter((_each, index) => isAccepted(answers[index] ?? null))
        if (accepted.length > 1)
          throw new Error(`At most one of two contents may be accepted, but got ${answers.map((each) => each?.status)}`)
        // If both were refused temporarily, repeat the first one.
        const [winner = first] = accepted
        await context.expectAccepted('The event once more', again(context, winner))
        await expectHandledOnce(context, winner)
        const refusedContent = winner === first ? other : first
        await expectConflict(context, 'The other content', again(context, refusedContent))
      }
    },
  },
  {
    id: 'repeats/at-once',
    title: 'an event that arrives many times concurrently is handled once, and finally acknowledged',
    rules: ['CB-42'],
    tags: ['race'],
    needs: ['stored'],
    run: async (context) => {
      const first = context.make()
      const answers = await Promise.all(Array.from({ length: 8 }, () => context.post(first)))
      if (!answers.some(isAccepted))
        throw new Error(`One of the deliveries must be accepted, but got ${answers.map((each) => each?.status)}`)
      await context.expectAccepted('The event once more', again(context, first))
      await expectHandledOnce(context, first)
      await context.expectRefused('A forged event', context.make({ signed: { body: 'something else' } }))
    },
  },
  {
    id: 'repeats/after-a-restart',
    title: 'an event that arrives again after a restart is still a duplicate',
    rules: ['CB-42'],
    alone: 'all',
    needs: ['stored', 'kill', 'restart'],
    run: async (context) => {
      const first = context.make()
      await context.expectAccepted('The event', first)
      await context.driver.kill()
      await context.driver.restart()
      await context.expectAccepted('The event after the restart', again(context, first))
      await expectHandledOnce(context, first)
      await expectConflict(context, 'Other content', changed(context, first, { seq: 13 }))
    },
  },
  {
    id: 'durability/killed-after-2xx',
    title: 'an event confirmed with 2xx is stored even if the receiver is killed right after',
    rules: ['CB-40'],
    alone: 'all',
    tags: ['race'],
    needs: ['stored', 'kill', 'restart'],
    run: async (context) => {
      for (let rounds = 0; rounds < 6; rounds++) {
        const events = Array.from({ length: 6 }, () => context.make())
        const confirmed: Callback[] = []
        const posts = events.map(async (event) => {
          const answer = await context.post(event).catch(() => null)
          if (isAccepted(answer)) confirmed.push(event)
          return answer
        })
        await Promise.race(posts)
        await context.driver.kill()
        await Promise.all(posts)
        if (rounds === 0 && confirmed.length === 0)
          throw new Error('At least one event must be accepted before the kill')
        await context.driver.restart()
        for (const event of confirmed) await expectHandledOnce(context, event)
        for (const event of events) await context.expectAccepted('The event, sent again', again(context, event))
        for (const event of events) await expectHandledOnce(context, event)
      }
    },
  },
  {
    id: 'durability/storage-broken',
    title: 'while the store is unavailable no event is confirmed, and repeats are accepted afterwards',
    rules: ['CB-40'],
    alone: 'all',
    needs: ['stored', 'breakStorage', 'mendStorage'],
    run: async (context) => {
      const event = context.make({ id: newEventId() })
      await context.driver.breakStorage()
      const answer = await context.post(event).finally(() => context.driver.mendStorage())
      if (isAccepted(answer))
        throw new Error(`An event that cannot be stored must not get 2xx, but got ${answer?.status}`)
      await context.expectAccepted('The event, sent again', again(context, event))
      await expectHandledOnce(context, event)
    },
  },
]
