import type { Activity, ActivityUpdate } from './generated/gateway.ts'

/** The activity after a change (D-69); null if it changes an activity whose first step is unknown. */
export const changeActivity = (
  before: Activity | undefined,
  { text_delta, ...members }: ActivityUpdate,
): Activity | null => {
  const { kind, name, state = 'running', ...rest } = { ...before, ...members }
  if (kind === undefined || name === undefined) return null
  const text = text_delta === undefined ? {} : { text: (before?.text ?? '') + text_delta }
  return { ...rest, kind, name, state, ...text }
}

/**
 * The activities after a change, in the order in which they began; the same list if the change is to an activity whose
 * first step is unknown.
 */
export const changeActivities = (activities: readonly Activity[], change: ActivityUpdate): readonly Activity[] => {
  const index = activities.findIndex(({ activity_id }) => activity_id === change.activity_id)
  const changed = changeActivity(activities[index], change)
  if (changed === null) return activities
  return index < 0 ? [...activities, changed] : activities.with(index, changed)
}
