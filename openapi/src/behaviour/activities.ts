import type { Activity } from '../../generated/gateway-closed.ts'
import type { ActivityChange } from '../../generated/worker-closed.ts'

/** The activities of a run, computed from its steps (D-69). */

export type { Activity, ActivityChange }

/** A change of an activity. Absent members stay unchanged. */
export type ActivityUpdate = Readonly<ActivityChange>

export const ACTIVITY_LIMITS = {
  /** Maximum number of activities of a run. */
  count: 100,
  /** Maximum UTF-8 bytes of one activity's current JSON. */
  bytes: 64 * 1024,
  /** Maximum UTF-8 bytes of the current JSON of all activities of a run. */
  togetherBytes: 1024 * 1024,
  /** Maximum UTF-8 bytes of JSON of all activity changes of a run, since the log also keeps replaced values. */
  changesBytes: 4 * 1024 * 1024,
} as const

/** The activity after a change. Its first change has `kind` and `name`; its state is `running` by default. */
export const changeActivity = (before: Activity | undefined, { text_delta, ...members }: ActivityUpdate): Activity => {
  const { activity_id, kind = '', name = '', state = 'running', ...rest } = { ...before, ...members }
  const text = text_delta === undefined ? {} : { text: (before?.text ?? '') + text_delta }
  return { activity_id, kind, name, state, ...rest, ...text }
}

/** The activities after the changes, in the order in which they began. */
export const foldActivities = (
  changes: Iterable<ActivityUpdate>,
  before: readonly Activity[] = [],
): readonly Activity[] => {
  const activities = new Map(before.map((activity) => [activity.activity_id, activity]))
  for (const change of changes)
    activities.set(change.activity_id, changeActivity(activities.get(change.activity_id), change))
  return [...activities.values()]
}

/** Merges two changes of one activity. */
export const joinChanges = (first: ActivityUpdate, then: ActivityUpdate): ActivityUpdate => {
  const { text_delta: before, ...replaced } = first
  const { text_delta: after, ...replacing } = then
  const members = { ...replaced, ...replacing }
  if (then.text !== undefined) return members
  if (first.text !== undefined) return { ...members, text: first.text + (after ?? '') }
  return before === undefined && after === undefined
    ? members
    : { ...members, text_delta: (before ?? '') + (after ?? '') }
}
