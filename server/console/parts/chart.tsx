import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { scheme } from '../app/scheme.ts'
import { formatCount } from './format.ts'
import { formatClock, LABEL_STEPS, timeRange } from './time-axis.ts'

export interface Series {
  readonly name: string
  /** A custom property of the style sheet. */
  readonly color: `--${string}`
  readonly values: readonly (number | null)[]
}

interface ChartProps {
  readonly title: string
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly unit?: string
}

const HEIGHT_PX = 132
/** Whole numbers only, because a label such as 0.5 runs makes no sense. */
const VALUE_STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()
/** The smallest maximum of the value axis, so that a flat line at zero is at the bottom. */
const SMALLEST_TOP = 1

/** Lines over time, with their current values as text above. */
export const Chart = ({ title, times, series, unit = '' }: ChartProps) => {
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const data = [times, ...series.map(({ values }) => values)] as uPlot.AlignedData
  const names = series.map(({ name }) => name).join()
  const look = scheme.value
  useEffect(() => {
    const element = container.current
    if (element === null) return
    const drawn = new uPlot(optionsOf(element, series), data, element)
    plot.current = drawn
    const watch = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      drawn.destroy()
      plot.current = null
    }
  }, [names, look])
  useEffect(() => plot.current?.setData(data), [times, series])
  const words = series.map(({ name, values }) => ({ name, text: `${formatCount(values.at(-1) ?? 0)}${unit}` }))
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        <ul class="legend">
          {words.map(({ name, text }, index) => (
            <li key={name} class={`swatch-${series[index]?.color.slice(2)}`}>
              {name} <b>{text}</b>
            </li>
          ))}
        </ul>
      </figcaption>
      <div
        ref={container}
        class="plot"
        role="img"
        aria-label={`${title}: ${words.map(({ name, text }) => `${name} ${text}`).join(', ')}`}
      />
    </figure>
  )
}

/** The colour of the area below a line. */
const fade = (color: string): string => `color-mix(in srgb, ${color} 9%, transparent)`

const optionsOf = (element: HTMLElement, series: readonly Series[]): uPlot.Options => {
  const color = (name: string): string => resolveColor(element, name)
  const axis = {
    stroke: color('--muted'),
    font: `11px ${getComputedStyle(element).fontFamily}`,
    ticks: { show: false },
    grid: { stroke: color('--line'), width: 1 },
  }
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { points: { size: 6 }, drag: { x: false, y: false }, sync: { key: 'overview' } },
    // The last time label needs half of its width on the right.
    padding: [8, 16, 0, 0],
    scales: {
      x: { range: (_plot, first, last) => timeRange(first, last) },
      y: { range: (_plot, _low, high) => [0, Math.max(SMALLEST_TOP, (high ?? 0) * 1.15)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 60,
        incrs: LABEL_STEPS,
        values: (_plot, times) => times.map(formatClock),
      },
      {
        ...axis,
        size: 40,
        space: 24,
        incrs: VALUE_STEPS,
        values: (_plot, values) => values.map((value) => formatCount(value)),
      },
    ],
    series: [
      {},
      ...series.map(({ name, color: property }) => ({
        label: name,
        stroke: color(property),
        fill: fade(color(property)),
        width: 1.5,
        points: { show: false },
        spanGaps: false,
      })),
    ],
  }
}

/** The colour of a custom property in the current scheme. A canvas accepts no custom properties. */
const resolveColor = (element: HTMLElement, property: string): string => {
  const probe = document.createElement('span')
  probe.style.color = `var(${property})`
  element.append(probe)
  const color = getComputedStyle(probe).color
  probe.remove()
  return color
}
