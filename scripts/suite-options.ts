/** How the repository runs the server suite against the reference gateway. */

/**
 * Checks that may be untestable: one needs the embedded database, and a slow machine cannot perform the others. The
 * reference gateway supports all other checks.
 */
const ALLOWED_UNTESTABLE = [
  'devices/interrupted-at-the-next-start',
  'limits/default-request-rate',
  'limits/start-window-of-messages',
  'limits/start-window-of-direct-runs',
  'limits/webhook-timestamp-tolerance',
  'runs/time-after-an-approval',
]

/** The suite requires all checks, also those that are newer than the requirement sets. */
export const SUITE_OPTIONS: readonly string[] = [
  ...['--requirements', 'all'],
  ...ALLOWED_UNTESTABLE.flatMap((check) => ['--allow-untestable', check]),
]
