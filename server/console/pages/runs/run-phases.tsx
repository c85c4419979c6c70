import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { formatDuration } from '../../parts/format.ts'
import { useNow } from '../../parts/time.tsx'
import { type Phase, phasesOf } from './phases-of.ts'

/** How long each phase of a run took: a bar in proportion to the times, and a legend. */
export const Phases = ({ timeline }: { timeline: RunTimeline }) => {
  const phases = phasesOf(timeline, useNow())
  return (
    <div class="phases">
      <div class="phase-bar" aria-hidden="true">
        {phases.map(({ name, ms }) => (
          <span key={name} class={`phase-${name}`} style={{ flexGrow: Math.max(ms, 1) }} />
        ))}
      </div>
      <ol class="legend" aria-label="How long it took">
        {phases.map(({ name, ms, isOpen }) => (
          <li key={name} class={`phase-${name}`}>
            {WORDS[name]} <b>{formatDuration(ms)}</b>
            {isOpen && ' so far'}
          </li>
        ))}
      </ol>
    </div>
  )
}

const WORDS: Readonly<Record<Phase['name'], string>> = {
  waited: 'queued',
  'first-output': 'until first output',
  answered: 'answered',
  executed: 'executed',
  decision: 'waited for a decision',
}
