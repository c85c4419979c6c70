import fc from 'fast-check'
import type { ModelStep } from './model-conversation.ts'

/** A step of a conversation, of the kinds that move it more often than of those that end things. */
export const anyStep: fc.Arbitrary<ModelStep> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<ModelStep>({ kind: 'admit' }) },
  { weight: 1, arbitrary: fc.constant<ModelStep>({ kind: 'annotate' }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('start' as const), pick: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), pick: fc.nat(3) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'delta' as const,
        'delta' as const,
        'message' as const,
        'approval' as const,
        'cancelling' as const,
      ),
      pick: fc.nat(3),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      pick: fc.nat(3),
      state: fc.constantFrom('succeeded' as const, 'failed' as const, 'cancelled' as const, 'interrupted' as const),
    }),
  },
)
