import fc from 'fast-check'
import type { ReplyStep } from '../../src/testing/index.ts'
import { anyActivity } from './any-step.ts'

/** The steps of an assistant before its run ends. The first change of an activity has a kind and a name. */
export const anyReplySteps: fc.Arbitrary<ReplyStep[]> = fc
  .array(
    fc.oneof(
      fc.record({ delta: fc.string({ minLength: 1, maxLength: 3 }) }),
      fc.record({ message: fc.string({ minLength: 1, maxLength: 3 }) }),
      { weight: 3, arbitrary: fc.record({ activity: anyActivity }) },
    ),
    { maxLength: 10 },
  )
  .map((steps) => {
    const begun = new Set<string>()
    return steps.map((step): ReplyStep => {
      if (!('activity' in step)) return step
      const { activity } = step
      if (begun.has(activity.activity_id)) return step
      begun.add(activity.activity_id)
      return { activity: { kind: 'tool', name: 'find_order', ...activity } }
    })
  })

/** A step that ends the run. */
export const anyEnding: fc.Arbitrary<ReplyStep> = fc.constantFrom<ReplyStep>(
  { succeed: {} },
  { succeed: { text: 'Done.', data: { order: 1 }, usage: { input_tokens: 3 } } },
  { fail: { code: 'MODEL_UNAVAILABLE', message: 'Gone.' } },
  { interrupt: true },
)
