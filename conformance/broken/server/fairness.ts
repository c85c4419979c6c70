import type { Mutant } from '../mutant.ts'

/** Runs that get a slot in the wrong order, execute for too long, or are ended wrongly. */
export const fairnessMutants: readonly Mutant[] = [
  {
    name: 'fairness-oldest-first',
    rule: 'DEV-19',
    fault: 'Slots go to the oldest runs, even of applications with executing runs.',
    file: 'server/src/store/claims.ts',
    find: 'executing.runs + oldest.turn as load',
    replace: '0 as load',
  },
  {
    name: 'fairness-runs-for-ever',
    rule: 'RUN-44',
    fault: 'A run may execute without a time limit.',
    file: 'openapi/src/behaviour/time-passes.ts',
    find: "run.time?.kind === 'active' && run.time.until <= draft.now",
    replace: "run.time?.kind === 'active' && run.time.until.getTime() < 0",
  },
  {
    name: 'fairness-timeout-waits-for-the-stop',
    rule: 'RUN-45',
    fault: 'A run past its time limit ends only when its assistant stops.',
    file: 'openapi/src/behaviour/time-passes.ts',
    find: "run.time?.kind === 'expired' && run.time.endBy <= draft.now",
    replace: "run.time?.kind === 'expired' && run.time.endBy.getTime() < 0",
  },
  {
    name: 'fairness-approvals-take-time',
    rule: 'RUN-46',
    fault: 'The time that a run waits for an approval counts towards its time limit.',
    file: 'openapi/src/behaviour/run-time.ts',
    find: "if (state === 'waiting_approval' && time?.kind === 'active')",
    replace: "if (state === 'reconciling' && time?.kind === 'active')",
  },
  {
    name: 'fairness-killed-worker-awaited',
    rule: 'DEV-18',
    fault: 'After a restart, runs of a killed gateway wait for their worker, which cannot return.',
    file: 'server/src/app/build-gateway.ts',
    find: "if (db.kind === 'embedded') await endInterruptedWork(context, log)",
    replace: '',
    database: 'embedded',
  },
  {
    name: 'fairness-dead-process-keeps-streams',
    rule: 'SSE-32',
    fault: 'The streams of a killed gateway keep counting towards the limits.',
    file: 'server/src/gateway/presence.ts',
    find: 'clock.now().getTime() + leaseMs)',
    replace: 'clock.now().getTime() + 3_600_000)',
  },
  {
    name: 'fairness-newest-first',
    rule: 'DEV-19',
    fault: 'The newest run of an application gets the next slot.',
    file: 'server/src/store/claims.ts',
    find: `row_number() over (order by \${RUN}) - 1 as turn
    from runs where \${READY} and \${APP} = w.app_id order by \${RUN} limit`,
    replace: `row_number() over (order by \${RUN} desc) - 1 as turn
    from runs where \${READY} and \${APP} = w.app_id order by \${RUN} desc limit`,
  },
  {
    name: 'fairness-approvals-end-the-time',
    rule: 'RUN-46',
    fault: 'An approved run executes without a time limit.',
    file: 'openapi/src/behaviour/run-time.ts',
    find: "if (state === 'running' && time?.kind === 'paused')\n    return { kind: 'active', until: new Date(now.getTime() + time.leftMs) }",
    replace: "if (state === 'running' && time?.kind === 'paused') return null",
  },
  {
    name: 'fairness-approvals-give-time-anew',
    rule: 'RUN-46',
    fault: 'An approved run may execute for at least another hour.',
    file: 'openapi/src/behaviour/run-time.ts',
    find: 'until: new Date(now.getTime() + time.leftMs)',
    replace: 'until: new Date(now.getTime() + Math.max(time.leftMs, 3_600_000))',
  },
  {
    name: 'fairness-time-of-the-newest-version',
    rule: 'RUN-47',
    fault: 'Runs have the time limit of the newest version of their service.',
    file: 'server/src/store/claims.ts',
    find: '  v.max_run_seconds as "maxRunSeconds"\n',
    replace: `  (select n.max_run_seconds from endpoint_versions n where n.app_id = v.app_id and n.endpoint_id = v.endpoint_id
    order by n.version desc limit 1) as "maxRunSeconds"
`,
  },
  {
    name: 'fairness-dead-process-keeps-runs',
    rule: 'DEV-12',
    also: ['DEV-14'],
    fault: 'Runs of a dead process stay running.',
    file: 'server/src/store/runs.ts',
    find: 'else $2 and not exists (select 1 from processes p where p.process_id = r.lease_owner and p.expires_at > $1) end)',
    replace: 'else $2 and false end)',
  },
]
