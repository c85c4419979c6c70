import type { Callback } from './callback.ts'
import type { ReceiverCheck } from './receiver-context.ts'

/** Changes a valid callback. */
type Forge = (callback: Callback, secret: string) => Callback

/**
 * A check that all forgeries are refused. It starts with a valid callback, because refusing everything proves nothing.
 */
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
    await context.expectAccepted('A correctly signed callback', context.make())
    for (const [what, forge] of Object.entries(forgeries))
      await context.expectRefused(what, forge(context.make(), context.secret))
  },
})
