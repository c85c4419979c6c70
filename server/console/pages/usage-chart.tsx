import { asWords, formatCount } from '../parts/format.ts'
import { OUTCOMES, type Outcome, type UsageDay } from './usage-days.ts'

const SWATCHES: Readonly<Record<Outcome, string>> = {
  succeeded: 'swatch-good',
  unfinished: 'swatch-violet',
  cancelled: 'swatch-idle',
  interrupted: 'swatch-warn',
  expired: 'swatch-warn',
  failed: 'swatch-bad',
}

/** The space for the labels of a column. */
const LABELS_PX = 40

/** A column for each day, divided by the outcomes of its runs. */
export const UsageChart = ({ days }: { days: readonly UsageDay[] }) => {
  const highest = Math.max(1, ...days.map(({ admitted }) => admitted))
  const shown = OUTCOMES.filter((outcome) => days.some((day) => day[outcome] > 0))
  const words = days.map(({ day, admitted }) => `${day} ${formatCount(admitted)}`).join(', ')
  return (
    <figure class="chart usage-chart">
      <figcaption>
        <h2>Runs by day of admission, UTC</h2>
        <ul class="legend">
          {shown.map((outcome) => (
            <li key={outcome} class={SWATCHES[outcome]}>
              {asWords(outcome)}
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="columns" role="img" aria-label={`Runs by day: ${words}`}>
        {days.map((day) => (
          <div key={day.day} class="column" title={titleOf(day)}>
            <span class="top">{day.admitted > 0 && formatCount(day.admitted)}</span>
            <div class="bar" style={{ height: `calc(${day.admitted / highest} * (100% - ${LABELS_PX}px))` }}>
              {OUTCOMES.toReversed().map((outcome) => (
                <span key={outcome} class={SWATCHES[outcome]} style={{ flexGrow: day[outcome] }} />
              ))}
            </div>
            <span class="foot">{day.day.slice(5)}</span>
          </div>
        ))}
      </div>
    </figure>
  )
}

const titleOf = (day: UsageDay): string =>
  [
    `${day.day}: ${formatCount(day.admitted)} admitted`,
    ...OUTCOMES.filter((each) => day[each] > 0).map((each) => `${formatCount(day[each])} ${asWords(each)}`),
  ].join(', ')
