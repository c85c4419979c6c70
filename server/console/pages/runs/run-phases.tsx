import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { formatDuration } from '../../parts/format.ts'
import { useNow } from '../../parts/time.tsx'
import { type Phase, phasesOf } from './phases-of.ts'

/** How long a run waited, thought and answered, as a bar. */
export const Phases = ({ timeline }: { timeline: RunTimeline }) => {
  const phases = phasesOf(timeline, useNow())
  return (
    <ol class="phases" aria-label="How long it took">
      {phases.map(({ name, ms, isOpen }) => (
        <li key={name} class={`phase-${name}`} style={{ flexGrow: Math.max(ms, 1) }}>
          <span>
            {WORDS[name]} <b>{formatDuration(ms)}</b>
            {isOpen && ' so far'}
          </span>
        </li>
      ))}
    </ol>
  )
}

const WORDS: Readonly<Record<Phase['name'], string>> = {
  waited: 'waited',
  thought: 'thought',
  answered: 'answered',
  executed: 'executed',
  decision: 'waited for a decision',
}
