import type { RunTimeline } from '@conversation-gateway/sdk/admin'
import { formatDuration, formatMoment } from '../../parts/format.ts'
import { entriesOf } from './timeline-entries.ts'

/** The history of a run, each entry with the time since the admission. */
export const TimelineList = ({ timeline }: { timeline: RunTimeline }) => {
  const admitted = Date.parse(timeline.run.created_at)
  return (
    <ol class="timeline" aria-label="Timeline">
      {entriesOf(timeline).map(({ key, at, tone, title, detail, seq }) => (
        <li key={key} class={`tone-${tone}`}>
          <time dateTime={at} title={formatMoment(new Date(at), true)}>
            +{formatDuration(Math.max(0, Date.parse(at) - admitted))}
          </time>
          <div>
            <p class="title">
              {title}
              {seq !== null && <span class="muted small"> seq {seq}</span>}
            </p>
            {detail !== null && <p class="muted">{detail}</p>}
          </div>
        </li>
      ))}
    </ol>
  )
}
