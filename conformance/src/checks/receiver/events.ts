import { UntestableError } from '../../kit/check.ts'
import { eventOf, newEventId } from '../../kit/receiver/callback.ts'
import { isAccepted } from '../../kit/receiver/post.ts'
import type { ReceiverCheck, ReceiverContext } from '../../kit/receiver/receiver-context.ts'

/** Fails unless the event is stored under its run or its conversation. */
const expectOwnRecord = async ({ driver }: ReceiverContext, eventId: string): Promise<void> => {
  const stored = await driver.stored(eventId)
  if (stored === null) throw new Error(`The event ${eventId} was accepted, but is not stored`)
  const { runId, conversationId } = stored
  if (runId === undefined && conversationId === undefined)
    throw new UntestableError('the driver reports neither runId nor conversationId of stored events')
  if (runId !== `run_of_${eventId}` && conversationId !== `conv_of_${eventId}`)
    throw new Error(
      `An event must be stored under its run or conversation, but is under ${JSON.stringify([runId, conversationId])}`,
    )
}

/** Correctly signed bodies whose event_id differs from the webhook-id header. */
const OTHER_IDS: Readonly<Record<string, (id: string) => object>> = {
  'another ID': () => eventOf(newEventId()),
  'the ID in upper case': (id) => eventOf(id, { event_id: id.toUpperCase() }),
  'the ID and a space': (id) => eventOf(id, { event_id: `${id} ` }),
  'the ID without its last character': (id) => eventOf(id, { event_id: id.slice(0, -1) }),
  'the ID in a list': (id) => eventOf(id, { event_id: [id] }),
  'the ID in an object': (id) => eventOf(id, { event_id: { id } }),
  'an empty ID': (id) => eventOf(id, { event_id: '' }),
  'null as ID': (id) => eventOf(id, { event_id: null }),
  'no ID': (id) => ({ ...eventOf(id), event_id: undefined }),
  'the ID in another place': (id) => ({ ...eventOf(id), event_id: undefined, id, payload: { event_id: id } }),
}

export const checks: readonly ReceiverCheck[] = [
  {
    id: 'events/other-id',
    title: 'a signed body whose event_id differs from webhook-id is refused',
    rules: ['CB-37'],
    tags: ['security'],
    run: async ({ make, expectAccepted, expectRefused }) => {
      await expectAccepted('A body with the ID of the header', make())
      for (const [what, write] of Object.entries(OTHER_IDS)) {
        const id = newEventId()
        await expectRefused(`A body with ${what}`, make({ id, body: JSON.stringify(write(id)) }))
      }
    },
  },
  {
    id: 'events/number-as-id',
    title: 'a numeric event_id with the digits of webhook-id is refused',
    rules: ['CB-37'],
    run: async ({ make, expectAccepted, expectRefused }) => {
      const id = String(Date.now() * 1000 + Math.floor(Math.random() * 1000))
      await expectRefused(
        'A body with the ID as a number',
        make({ id, body: JSON.stringify(eventOf(id, { event_id: Number(id) })) }),
      )
      await expectAccepted('A body with the ID as text', make({ id, body: JSON.stringify(eventOf(id)) }))
    },
  },
  {
    id: 'events/not-an-event',
    title: 'a signed body without a valid event_id is refused',
    rules: ['CB-37'],
    run: async ({ make, expectAccepted, expectRefused }) => {
      await expectAccepted('An event', make())
      for (const body of ['', '{', 'null', '[]', '"text"', '{}'])
        await expectRefused(`The body ${JSON.stringify(body)}`, make({ body }))
    },
  },
  {
    id: 'events/own-records',
    title: 'an event without app and subject is matched to the receiver’s own record by its run or its conversation',
    rules: ['CB-19'],
    needs: ['stored'],
    run: async (context) => {
      // Both events name a run: `run_id: null` comes from a decision (D-27) that receivers need not know.
      for (const changes of [{}, { type: 'run.failed', payload: { error: { code: 'NO', message: 'No.' } } }]) {
        const id = newEventId()
        const body = JSON.stringify(eventOf(id, changes))
        await context.expectAccepted('An event of a run', context.make({ id, body }))
        await expectOwnRecord(context, id)
      }
    },
  },
  {
    id: 'events/unknown-type',
    title: 'an event of an unknown type is also matched by its run or its conversation',
    rules: ['CB-19'],
    needs: ['stored'],
    run: async (context) => {
      await context.expectAccepted('An event of a known type', context.make())
      const id = newEventId()
      const body = JSON.stringify(eventOf(id, { type: 'run.annotated', payload: { note: 'x' }, added: [1] }))
      const answer = await context.post(context.make({ id, body }))
      // D-26, which requires that unknown types are accepted, applies only to clients.
      if (!isAccepted(answer)) throw new UntestableError('an event of an unknown type is refused')
      await expectOwnRecord(context, id)
    },
  },
]
