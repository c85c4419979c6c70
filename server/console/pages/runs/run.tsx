import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { gateway, LIVE_MS, SLOW_MS } from '../../data/gateway.ts'
import { useOnce } from '../../data/once.ts'
import { usePolled } from '../../data/poll.ts'
import { formatCount } from '../../parts/format.ts'
import { CopyButton, Identifier, SubjectId } from '../../parts/identifier.tsx'
import { Facts, Page, Problem } from '../../parts/page.tsx'
import { StatePill } from '../../parts/state-pill.tsx'
import { Moment } from '../../parts/time.tsx'
import { CancelRun } from '../cancel-work.tsx'
import { ToDecide } from '../to-decide.tsx'
import { explainRun } from './explain-run.ts'
import { RunCallbacks } from './run-callbacks.tsx'
import { Messages } from './run-messages.tsx'
import { Phases } from './run-phases.tsx'
import { TimelineList } from './timeline-list.tsx'

type RunUsage = NonNullable<RunTimeline['usage']>

/** An unfinished run is polled more often. */
const CLOSE_MS = LIVE_MS / 2

/** One run: its state and the reason, its timeline, callbacks, details and messages. */
export const Run = ({ id }: { id: string }) => {
  const [includeText, setIncludeText] = useState(false)
  const [isOver, setIsOver] = useState(false)
  const { data, error, refresh } = usePolled(
    id,
    async (signal) => {
      const timeline = await gateway().runs.timeline(id, {}, { signal })
      setIsOver(timeline.run.finished_at !== null)
      return timeline
    },
    // Its callbacks may continue after its end.
    isOver ? SLOW_MS / 2 : CLOSE_MS,
  )
  // Read again only as messages are added or completed.
  const written = data?.messages.map(({ message_id, partial }) => [message_id, partial])
  const withText = useOnce(includeText ? JSON.stringify([id, written]) : null, (signal) =>
    gateway().runs.timeline(id, { include_text: true }, { signal }),
  )
  return (
    <Page
      title="Run"
      aside={data !== undefined && <StatePill state={data.run.state} />}
      actions={data !== undefined && <CancelRun run={data.run} refresh={refresh} />}
    >
      <SubjectId id={id} />
      <Problem text={error ?? withText.error} />
      {data !== undefined && (
        <>
          <Explained timeline={data} />
          <ToDecide approvals={data.approvals.filter(({ state }) => state === 'pending')} refresh={refresh} />
          <Phases timeline={data} />
          <div class="run-columns">
            <section>
              <h2>Timeline</h2>
              <TimelineList timeline={data} />
            </section>
            <div>
              <section>
                <h2>Callbacks</h2>
                <RunCallbacks deliveries={data.deliveries} />
              </section>
              <section>
                <h2>Details</h2>
                <RunFacts timeline={data} />
              </section>
              <Messages messages={(withText.data ?? data).messages} isShown={includeText} onShow={setIncludeText} />
            </div>
          </div>
        </>
      )}
    </Page>
  )
}

const Explained = ({ timeline }: { timeline: RunTimeline }) => {
  const explanation = explainRun(timeline.run)
  if (explanation === null) return null
  const { tone, title, text, code } = explanation
  return (
    <section class={`explanation tone-${tone}`} aria-label={title}>
      <h2>{title}</h2>
      <p>
        {code !== undefined && <code>{code}</code>} {text}{' '}
        {timeline.run.state === 'waiting_approval' && <Link href="/approvals">Go to the approvals.</Link>}
      </p>
    </section>
  )
}

const RunFacts = ({ timeline: { run, usage } }: { timeline: RunTimeline }) => (
  <Facts
    facts={[
      ['Application', <Identifier key="app" id={run.app_id} href={`/apps/${run.app_id}`} whole />],
      ['Subject', run.subject ?? 'erased'],
      [
        'Conversation',
        <Identifier key="conversation" id={run.conversation_id} href={`/conversations/${run.conversation_id}`} />,
      ],
      ['Generation', run.generation],
      ['Service', `${run.endpoint_id}, version ${run.binding_version}`],
      ['Device', <Identifier key="device" id={run.device_id} href={`/devices/${run.device_id}`} whole />],
      ['Process', run.lease === null ? null : <LeaseOf key="lease" lease={run.lease} />],
      ['Must start by', <Moment key="before" at={run.start_before} />],
      ...(usage === null ? [] : [['Used', usageOf(usage)] as const]),
      ['Trace', run.trace_id === null ? null : <TraceOf key="trace" id={run.trace_id} />],
    ]}
  />
)

const usageOf = ({ input_tokens, output_tokens, total_tokens, cost, model }: RunUsage): string =>
  [
    input_tokens !== undefined && `${formatCount(input_tokens)} tokens in`,
    output_tokens !== undefined && `${formatCount(output_tokens)} out`,
    input_tokens === undefined &&
      output_tokens === undefined &&
      total_tokens !== undefined &&
      `${formatCount(total_tokens)} tokens`,
    cost && `${cost.amount} ${cost.currency}`,
    model,
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')

/** The whole trace ID with a copy button, because operators search for it in other tools. */
const TraceOf = ({ id }: { id: string }) => (
  <span>
    <code>{id}</code> <CopyButton text={id} of="the trace ID" />
  </span>
)

const LeaseOf = ({ lease: { process_id, alive } }: { lease: NonNullable<RunTimeline['run']['lease']> }) => (
  <span>
    <code title={process_id}>{process_id.slice(0, 8)}</code>{' '}
    <StatePill state={alive ? 'alive' : 'lost'} tone={alive ? 'good' : 'bad'} />
  </span>
)
