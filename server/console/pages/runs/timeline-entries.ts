import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { asWords, formatDuration } from '../../parts/format.ts'
import type { Tone } from '../../parts/state-pill.tsx'

/** An entry of a run's timeline. */
export interface Entry {
  readonly key: string
  readonly at: string
  readonly tone: Tone
  readonly title: string
  readonly detail: string | null
  /** The position of its event; null if it is not an event. */
  readonly seq: number | null
}

type TimelineEvent = RunTimeline['events'][number]

/** The history of a run, in order. Pure. */
export const entriesOf = (timeline: RunTimeline): readonly Entry[] =>
  [
    ...ofAdmission(timeline),
    ...timeline.events.map((event) => ofEvent(event, timeline)),
    ...timeline.approvals.flatMap(ofDecision),
    ...timeline.stops.map(ofStop),
    ...timeline.deliveries.flatMap(ofAttempts),
  ].sort((a, b) => momentOf(a, timeline) - momentOf(b, timeline))

/**
 * The clocks of processes differ by milliseconds, so entries that seem earlier than the admission are shown at the
 * admission.
 */
const momentOf = ({ at }: Entry, { run }: RunTimeline): number => Math.max(Date.parse(at), Date.parse(run.created_at))

const ADMITTED = {
  tone: 'idle',
  title: 'Admitted',
  detail: 'Queued until earlier runs have ended and a slot is free',
} as const

/**
 * The admission from the run's record, if the events do not contain it: not every admission writes an event, and old
 * events are removed.
 */
const ofAdmission = ({ run, events }: RunTimeline): readonly Entry[] =>
  events.some(isAdmission) ? [] : [{ key: 'admission', at: run.created_at, seq: null, ...ADMITTED }]

const isAdmission = ({ type, state }: TimelineEvent): boolean => type === 'run.updated' && state === 'queued'

const ofEvent = (event: TimelineEvent, timeline: RunTimeline): Entry => ({
  key: `event ${event.seq}`,
  at: event.created_at,
  seq: event.seq,
  ...wordsOf(event, timeline),
})

type Words = Pick<Entry, 'tone' | 'title' | 'detail'>

const wordsOf = (event: TimelineEvent, { run, approvals }: RunTimeline): Words => {
  switch (event.type) {
    case 'run.started':
      return { tone: 'busy', title: 'Started', detail: `on ${run.device_id}` }
    case 'run.updated':
      return isAdmission(event) ? ADMITTED : { tone: 'idle', title: asSentence(event.state ?? 'updated'), detail: null }
    case 'assistant.delta':
      return { tone: 'busy', title: 'Answered', detail: spanOf(event) }
    case 'assistant.activity':
      return ofActivity(event)
    case 'assistant.message':
      return { tone: 'busy', title: 'Answered in one message', detail: null }
    case 'approval.required': {
      // One commit records both.
      const approval = approvals.find(({ created_at }) => created_at === event.created_at)
      return { tone: 'warn', title: 'Asked for approval', detail: approval?.summary ?? null }
    }
    case 'run.completed':
      return { tone: 'good', title: 'Succeeded', detail: null }
    case 'run.failed':
      return { tone: 'bad', title: `Failed: ${event.error_code ?? 'no code'}`, detail: run.error?.message ?? null }
    default:
      return { tone: event.type.startsWith('run.') ? 'bad' : 'idle', title: asSentence(event.type), detail: null }
  }
}

const spanOf = ({ count, created_at, last_at }: TimelineEvent): string =>
  count === 1 ? '1 piece' : `${count} pieces within ${formatDuration(Date.parse(last_at) - Date.parse(created_at))}`

const ofActivity = ({ activity, created_at, last_at, count }: TimelineEvent): Words => {
  const { kind, name, state } = activity ?? { kind: null, name: null, state: null }
  const duration = Date.parse(last_at) - Date.parse(created_at)
  const said = [kind, state && asWords(state), count > 1 && `within ${formatDuration(duration)}`]
  return {
    tone: state === 'failed' ? 'warn' : 'idle',
    title: name ?? 'Activity',
    detail: said.filter((part) => typeof part === 'string').join(', ') || null,
  }
}

const asSentence = (name: string): string => {
  const words = asWords(name.replace(/^(run|assistant|conversation)\./, ''))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const ofDecision = (approval: RunTimeline['approvals'][number]): readonly Entry[] =>
  approval.decided_at === null
    ? []
    : [
        {
          key: `decision ${approval.approval_id}`,
          at: approval.decided_at,
          seq: null,
          tone: approval.state === 'approved' ? 'good' : 'bad',
          title: asSentence(approval.state),
          detail: approval.summary,
        },
      ]

const ofStop = ({ operation_id, kind, state, created_at }: RunTimeline['stops'][number]): Entry => ({
  key: `stop ${operation_id}`,
  at: created_at,
  seq: null,
  tone: 'warn',
  title: `Stop requested (${kind})`,
  detail: `${operation_id}, ${asWords(state)}`,
})

const ofAttempts = ({
  delivery_id,
  callback_id,
  event_type,
  attempt_log,
}: RunTimeline['deliveries'][number]): readonly Entry[] =>
  attempt_log.map(({ attempt, started_at, status, error, latency_ms }) => ({
    key: `attempt ${delivery_id} ${attempt}`,
    at: started_at,
    seq: null,
    tone: error === null ? 'good' : 'bad',
    title: `${error === null ? 'Delivered' : 'Could not deliver'} ${event_type} to ${callback_id}`,
    detail: [
      error === null ? `answered ${status}` : error.replace(/\.$/, ''),
      latency_ms === null ? null : formatDuration(latency_ms),
      attempt > 1 ? `attempt ${attempt}` : null,
    ]
      .filter((part) => part !== null)
      .join(', '),
  }))
