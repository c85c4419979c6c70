import type { Callback } from './callback.ts'
import type { ReceiverCheck } from './receiver-context.ts'

/** What changes in a callback that is right otherwise. */
type Forge = (callback: Callback, secret: string) => Callback

/** A check that all forgeries are refused. It begins with a callback that the receiver takes: one that refuses everything proves nothing. */
export const refusesAll = (
  id: string,
  title: string,
  rule: string,
  forgeries: Readonly<Record<string, Forge>>,
): ReceiverCheck => ({
  id,
  title,
  rules: [rule],
  tags: ['security'],
  run: async (context) => {
    await context.expectAccepted('A callback that is signed as it should be', context.make())
    for (const [what, forge] of Object.entries(forgeries))
      await context.expectRefused(what, forge(context.make(), context.secret))
  },
})
