import { signal } from '@preact/signals'
import { formatAgo, formatAhead, formatMoment } from './format.ts'

/** The time of this machine, updated every second while the page is visible. */
const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1000)

interface MomentProps {
  readonly at: string
}

/** How long ago something happened. The title is the moment itself. */
export const Ago = ({ at }: MomentProps) => {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={formatMoment(moment, true)}>
      {formatAgo(now.value - moment.getTime())}
    </time>
  )
}

/** In how much time something will happen. */
export const Ahead = ({ at }: MomentProps) => {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={formatMoment(moment, true)}>
      {formatAhead(moment.getTime() - now.value)}
    </time>
  )
}

/** A moment with seconds. */
export const Moment = ({ at }: MomentProps) => {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={at}>
      {formatMoment(moment)}
    </time>
  )
}

/** The current time, for durations that are still growing. */
export const useNow = (): number => now.value
