/** How the repository runs the server suite against the reference gateway. */

/** Checks that a slow machine cannot carry out, and one of the embedded database alone. The reference gateway offers everything else. */
const ALLOWED_UNTESTABLE = [
  'devices/interrupted-at-the-next-start',
  'limits/default-request-rate',
  'limits/start-window-of-messages',
  'limits/start-window-of-direct-runs',
  'limits/webhook-timestamp-tolerance',
  'runs/time-after-an-approval',
]

/** Every check counts, including the newest. */
export const SUITE_OPTIONS: readonly string[] = [
  ...['--requirements', 'all'],
  ...ALLOWED_UNTESTABLE.flatMap((check) => ['--allow-untestable', check]),
]
