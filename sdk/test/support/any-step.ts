import fc from 'fast-check'
import type { ModelStep } from './model-conversation.ts'

/** A change of one of two activities, with any of its members. */
export const anyActivity: fc.Arbitrary<Extract<ModelStep, { kind: 'activity' }>['change']> = fc.record(
  {
    activity_id: fc.constantFrom('call_1', '__proto__'),
    kind: fc.constantFrom('tool', 'reasoning', 'source', 'progress', 'plan'),
    name: fc.constantFrom('find_order', 'ship'),
    state: fc.constantFrom('running' as const, 'succeeded' as const, 'failed' as const),
    title: fc.string({ maxLength: 3 }),
    input: fc.jsonValue({ maxDepth: 1 }),
    output: fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.record({ url: fc.webUrl() })),
    text: fc.string({ maxLength: 3 }),
    text_delta: fc.string({ maxLength: 3 }),
  },
  { requiredKeys: ['activity_id'] },
)

/** A step of a conversation. Steps that continue it are more frequent than steps that end something. */
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
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('activity' as const), pick: fc.nat(3), change: anyActivity }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      pick: fc.nat(3),
      state: fc.constantFrom('succeeded' as const, 'failed' as const, 'cancelled' as const, 'interrupted' as const),
      data: fc.option(fc.constant({ order: 1 }), { nil: undefined }),
    }),
  },
)
