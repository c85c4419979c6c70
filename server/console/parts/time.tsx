import { signal } from '@preact/signals'
import { formatAgo, formatAhead, formatMoment } from './format.ts'

/** The time of this machine, once a second, while the page is seen. */
const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1000)

interface MomentProps {
  readonly at: string
}

/** How long ago something was; the moment itself is its title. */
export const Ago = ({ at }: MomentProps) => {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={formatMoment(moment, true)}>
      {formatAgo(now.value - moment.getTime())}
    </time>
  )
}

/** When something will be. */
export const Ahead = ({ at }: MomentProps) => {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={formatMoment(moment, true)}>
      {formatAhead(moment.getTime() - now.value)}
    </time>
  )
}

/** A moment, to the second. */
export const Moment = ({ at }: MomentProps) => {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={at}>
      {formatMoment(moment)}
    </time>
  )
}

/** How long something has lasted, while it lasts. */
export const useNow = (): number => now.value
