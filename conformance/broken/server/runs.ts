import type { Mutant } from '../mutant.ts'
import { inAnswers } from './places.ts'

const shown = (change: string) => inAnswers(['getRun'], change)
const renamed = (state: string, instead: string) => shown(`if (body.state === '${state}') body.state = '${instead}'`)

/** Runs that are shown or executed wrongly. */
export const runMutants: readonly Mutant[] = [
  {
    name: 'runs-without-message',
    rule: 'RUN-01',
    also: ['RUN-05'],
    fault: 'A run does not name its message.',
    ...shown('delete body.message_id'),
  },
  {
    name: 'runs-side-by-side',
    rule: 'RUN-03',
    fault: 'The snapshot shows queued runs as running.',
    ...inAnswers(['getConversation'], "for (const run of body.runs) if (run.state === 'queued') run.state = 'running'"),
  },
  {
    name: 'runs-no-queue',
    rule: 'RUN-04',
    fault: 'A message is refused while a run of its conversation executes.',
    file: 'server/src/gateway/decide-admission.ts',
    find: '    work: draft.work,',
    replace: "    work: row.executingRunId === null ? draft.work : { ...draft.work, state: 'resetting' },",
  },
  {
    name: 'runs-never-received',
    rule: 'RUN-06',
    also: ['RUN-33'],
    fault: '`delivery_state` is `received` instead of `device_received`.',
    ...shown("if (body.delivery_state === 'device_received') body.delivery_state = 'received'"),
  },
  {
    name: 'runs-text-as-list',
    rule: 'RUN-09',
    fault: '`text` of a result is a list of lines.',
    ...shown("if (body.result?.text !== undefined) body.result.text = body.result.text.split('\\n')"),
  },
  {
    name: 'runs-in-progress',
    rule: 'RUN-11',
    also: ['RUN-14'],
    fault: 'A running run has the state `in_progress`.',
    ...renamed('running', 'in_progress'),
  },
  {
    name: 'runs-complete-before-approval',
    rule: 'RUN-15',
    fault: 'A run that is waiting for an approval is shown as succeeded.',
    ...renamed('waiting_approval', 'succeeded'),
  },
  {
    name: 'runs-cancelled-while-stopping',
    rule: 'RUN-17',
    fault: 'A run that is being stopped is shown as cancelled.',
    ...renamed('cancelling', 'cancelled'),
  },
  {
    name: 'runs-running-shown-as-reconciling',
    rule: 'RUN-18',
    fault: 'A running run is shown as reconciling.',
    ...renamed('running', 'reconciling'),
  },
  {
    name: 'runs-reconciling-shown-as-running',
    rule: 'RUN-40',
    fault: 'A reconciling run is shown as running.',
    ...renamed('reconciling', 'running'),
  },
  {
    name: 'runs-cause-elsewhere',
    rule: 'RUN-21',
    fault: 'A failed run has its error outside of its result.',
    ...shown("if (body.state === 'failed') { body.error = body.result.error; body.result = null }"),
  },
  {
    name: 'runs-cancelled-is-success',
    rule: 'RUN-22',
    fault: 'A cancelled run is shown as succeeded.',
    ...renamed('cancelled', 'succeeded'),
  },
  {
    name: 'runs-interrupted-is-success',
    rule: 'RUN-23',
    fault: 'An interrupted run is shown as succeeded.',
    ...renamed('interrupted', 'succeeded'),
  },
  {
    name: 'runs-expired-is-success',
    rule: 'RUN-24',
    fault: 'An expired run is shown as succeeded.',
    ...renamed('expired', 'succeeded'),
  },
  {
    name: 'runs-end-is-overwritten',
    rule: 'RUN-30',
    fault: 'A cancel changes how a run has ended.',
    file: 'server/src/gateway/cancel-run.ts',
    find: "  if (place === null) return notFound('run')\n",
    replace:
      "  if (place === null) return notFound('run')\n  await context.db.query({ name: 'overwrite_end', access: 'write', text: `update runs set state = 'cancelled' where app_id = $1 and run_id = $2 and finished_at is not null` }, [tenant.appId, runId])\n",
  },
  {
    name: 'runs-start-deadline-is-a-timeout',
    rule: 'RUN-32',
    fault: 'A run that has started in time ends at its start deadline.',
    file: 'openapi/src/behaviour/time-passes.ts',
    find: '    if (isExecuting(run.state)) limitTime(draft, run)\n',
    replace:
      "    if (run.startBefore <= now) finishRun(draft, run, { state: 'interrupted' })\n    else if (isExecuting(run.state)) limitTime(draft, run)\n",
  },
]
