import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import { ACTIVITY_LIMITS } from '@conversation-gateway/openapi/behaviour/activities'
import { storableJson } from './storable-json.ts'

/** The sizes of a run's activities, for their limits (D-69). */
export interface ActivitySizes {
  /** How many changes there were. */
  changes: number
  /** UTF-8 bytes of their JSON. */
  said: number
  /** Current UTF-8 bytes of each member, by activity ID. */
  readonly activities: Record<string, Record<string, number>>
}

/** The form during counting, with the sums over all activities. */
export interface CountedSizes extends ActivitySizes {
  /** How many activities there are. */
  count: number
  /** Current UTF-8 bytes of the JSON of all activities. */
  together: number
}

export const noActivities = (): CountedSizes => countedSizes({ changes: 0, said: 0, activities: {} })

/** A copy to count in. `activities` has no prototype, since an assistant may name an activity `__proto__`. */
export const countedSizes = ({ changes, said, activities }: ActivitySizes): CountedSizes => {
  const all = Object.values(activities)
  return {
    changes,
    said,
    count: all.length,
    together: all.reduce((sum, members) => sum + bytesOfAll(members), 0),
    activities: Object.assign(Object.create(null), activities),
  }
}

export type SizedActivity =
  | { readonly kind: 'taken'; readonly change: ActivityUpdate }
  /** The change begins an activity without kind or name, or is not valid JSON. */
  | { readonly kind: 'invalid'; readonly fault: string }
  /** It breaks a limit; the run fails with OUTPUT_LIMIT. */
  | { readonly kind: 'too_much'; readonly message: string }

/**
 * Counts a change in `sizes`, and returns it complete and storable. The first change of an activity has `kind`, `name`
 * and `state`.
 */
export const takeActivity = (sizes: CountedSizes, given: ActivityUpdate): SizedActivity => {
  const stored = storableJson(given)
  if (stored.kind === 'invalid') return { kind: 'invalid', fault: `activity ${stored.fault}` }
  const change = stored.value
  const id = change.activity_id
  const before = sizes.activities[id]
  if (before === undefined) {
    const missing = change.kind === undefined ? 'kind' : change.name === undefined ? 'name' : null
    if (missing !== null)
      return { kind: 'invalid', fault: `activity ${JSON.stringify(id)} begins without a ${missing}` }
    if (sizes.count === ACTIVITY_LIMITS.count)
      return { kind: 'too_much', message: `A run may have at most ${ACTIVITY_LIMITS.count} activities.` }
  }
  const complete: ActivityUpdate = before === undefined ? { state: 'running', ...change } : change
  const after = membersAfter(before, complete)
  const bytes = bytesOfAll(after)
  sizes.changes += 1
  sizes.said += stored.bytes
  sizes.count += before === undefined ? 1 : 0
  sizes.together += bytes - (before === undefined ? 0 : bytesOfAll(before))
  sizes.activities[id] = after
  return overLimit(sizes, bytes) ?? { kind: 'taken', change: complete }
}

const membersAfter = (
  before: Readonly<Record<string, number>> | undefined,
  { text_delta, ...members }: ActivityUpdate,
): Record<string, number> => {
  const after: Record<string, number> = { ...before }
  for (const [name, value] of Object.entries(members)) after[name] = bytesOf(name, value)
  if (text_delta !== undefined)
    after.text = after.text === undefined ? bytesOf('text', text_delta) : after.text + jsonBytes(text_delta) - 2
  return after
}

/** With the quotes, the colon and the comma. */
const bytesOf = (name: string, value: unknown): number => name.length + 4 + jsonBytes(value)

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const bytesOfAll = (members: Readonly<Record<string, number>>): number =>
  Object.values(members).reduce((sum, bytes) => sum + bytes, 1)

/** @param bytes current size of the changed activity. */
const overLimit = ({ said, together }: CountedSizes, bytes: number): SizedActivity | null => {
  if (bytes > ACTIVITY_LIMITS.bytes)
    return { kind: 'too_much', message: `An activity may have at most ${ACTIVITY_LIMITS.bytes} bytes of JSON.` }
  if (together > ACTIVITY_LIMITS.togetherBytes)
    return {
      kind: 'too_much',
      message: `The activities of a run may have at most ${ACTIVITY_LIMITS.togetherBytes} bytes of JSON together.`,
    }
  if (said > ACTIVITY_LIMITS.changesBytes)
    return {
      kind: 'too_much',
      message: `A run may send at most ${ACTIVITY_LIMITS.changesBytes} bytes of JSON about its activities.`,
    }
  return null
}
