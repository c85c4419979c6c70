import type { Mutant } from '../mutant.ts'

/** Runs that get a slot out of turn, execute for too long, or are ended wrongly. */
export const fairnessMutants: readonly Mutant[] = [
  {
    name: 'fairness-oldest-first',
    rule: 'DEV-19',
    fault: 'Slots go to the oldest runs, whatever their applications execute.',
    file: 'server/src/store/claims.ts',
    find: 'executing.runs + oldest.turn as load',
    replace: '0 as load',
  },
  {
    name: 'fairness-runs-for-ever',
    rule: 'RUN-44',
    fault: 'A run may execute for as long as it likes.',
    file: 'openapi/src/behaviour/time-passes.ts',
    find: "run.time?.kind === 'runs' && run.time.until <= draft.now",
    replace: "run.time?.kind === 'runs' && run.time.until.getTime() < 0",
  },
  {
    name: 'fairness-timeout-waits-for-the-stop',
    rule: 'RUN-45',
    fault: 'A run whose time is over ends only when its assistant stops.',
    file: 'openapi/src/behaviour/time-passes.ts',
    find: "run.time?.kind === 'over' && run.time.endBy <= draft.now",
    replace: "run.time?.kind === 'over' && run.time.endBy.getTime() < 0",
  },
  {
    name: 'fairness-approvals-take-time',
    rule: 'RUN-46',
    fault: 'The time of a run goes on while it waits for an approval.',
    file: 'openapi/src/behaviour/run-time.ts',
    find: "if (state === 'waiting_approval' && time?.kind === 'runs')",
    replace: "if (state === 'reconciling' && time?.kind === 'runs')",
  },
  {
    name: 'fairness-the-dead-may-come-back',
    rule: 'DEV-18',
    fault: 'What a killed gateway executed waits for it to come back, though nobody can.',
    file: 'server/src/build-gateway.ts',
    find: "if (db.kind === 'embedded') await endInterruptedWork(context, log)",
    replace: '',
    database: 'embedded',
  },
  {
    name: 'fairness-streams-of-the-dead-count',
    rule: 'SSE-32',
    fault: 'The streams of a killed gateway keep their places.',
    file: 'server/src/gateway/presence.ts',
    find: 'clock.now().getTime() + leaseMs)',
    replace: 'clock.now().getTime() + 3_600_000)',
  },
]
