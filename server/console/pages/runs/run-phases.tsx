import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { formatDuration } from '../../parts/format.ts'
import { useNow } from '../../parts/time.tsx'

/** How long a run waited, thought and answered, as a bar. */
export const Phases = ({ timeline }: { timeline: RunTimeline }) => {
  const now = useNow()
  const phases = phasesOf(timeline, now)
  return (
    <ol class="phases" aria-label="How long it took">
      {phases.map(({ name, ms, isOpen }) => (
        <li key={name} class={`phase-${name}`} style={{ flexGrow: Math.max(ms, 1) }}>
          <span>
            {name} <b>{formatDuration(ms)}</b>
            {isOpen && ' so far'}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface Phase {
  readonly name: 'waited' | 'thought' | 'answered' | 'executed'
  readonly ms: number
  readonly isOpen: boolean
}

const phasesOf = ({ run, started_at, first_output_at }: RunTimeline, now: number): readonly Phase[] => {
  const created = Date.parse(run.created_at)
  const end = run.finished_at === null ? Math.max(now, Date.parse(run.updated_at)) : Date.parse(run.finished_at)
  const isOpen = run.finished_at === null
  if (started_at === null) return [{ name: 'waited', ms: end - created, isOpen }]
  const started = Date.parse(started_at)
  const waited: Phase = { name: 'waited', ms: started - created, isOpen: false }
  if (first_output_at === null) return [waited, { name: 'executed', ms: end - started, isOpen }]
  const answering = Date.parse(first_output_at)
  return [
    waited,
    { name: 'thought', ms: answering - started, isOpen: false },
    { name: 'answered', ms: end - answering, isOpen },
  ]
}
