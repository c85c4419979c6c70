import { instance } from '@viz-js/viz'
import { escapeHtml } from '../markdown.ts'

/** Which states each state leads to, with a few words on what causes it. A state that leads nowhere is final. */
export type Causes = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Draws a state machine as SVG, from top to bottom, so that it fits a phone. Final states have no box: each state lists
 * the final states that it can reach. The colours come from the theme.
 * @param title the accessible name
 */
export const drawStates = async (name: string, title: string, initial: string, causes: Causes): Promise<string> => {
  const viz = await instance()
  const svg = viz.renderString(toDot(name, initial, causes), { format: 'svg' })
  const start = svg.indexOf('<svg')
  return svg
    .slice(start)
    .replaceAll(/<!--[\s\S]*?-->\n?/g, '')
    .replaceAll(/<title>[\s\S]*?<\/title>\n?/g, '')
    .replaceAll(/ (?:fill|stroke|font-family|font-size)="[^"]*"/g, '')
    .replaceAll(/ id="[^"]*"/g, '')
    .replace(/<svg [^>]*?viewBox="([^"]*)"[^>]*>/, (_, box: string) => {
      const [, , width] = box.split(' ')
      return `<svg class="states" viewBox="${box}" style="max-width: ${Math.ceil(Number(width) * SCALE)}px" role="img" aria-labelledby="${name}-title" xmlns="http://www.w3.org/2000/svg">\n<title id="${name}-title">${escapeHtml(title)}</title>`
    })
    .replaceAll(/\n+/g, '\n')
    .trim()
}

/** Points of the drawing to pixels of the page, so that its letters have about the size of the text. */
const SCALE = 1.3

const toDot = (name: string, initial: string, causes: Causes): string => {
  const isFinal = (state: string): boolean => Object.keys(causes[state] ?? {}).length === 0
  const states = Object.keys(causes).filter((state) => !isFinal(state))
  const nodes = states.map((state) => {
    const ends = Object.keys(causes[state] ?? {}).filter(isFinal)
    const lines = [state, ...linesOf(ends)].join('\\n')
    return `"${state}" [label="${lines}", class="state${state === initial ? ' initial' : ''}"]`
  })
  const edges = states.flatMap((from) =>
    Object.entries(causes[from] ?? {})
      .filter(([to]) => !isFinal(to))
      .map(([to, cause]) => `"${from}" -> "${to}" [label=<${labelOf(cause)}>]`),
  )
  return `digraph "${name}" {
  rankdir=TB; bgcolor=transparent; nodesep=0.3; ranksep=0.5; pad=0.1
  node [shape=box, style=rounded, fontname="Helvetica", fontsize=13, height=0.4, margin="0.18,0.08"]
  edge [arrowsize=0.6, fontname="Helvetica", fontsize=12]
  ${[...nodes, ...edges].join('\n  ')}
}`
}

/** The label of an arrow, in two lines of about the same length, with padding that keeps it clear of arrows. */
const labelOf = (cause: string): string => {
  const spaces = [...cause.matchAll(/ /g)].map(({ index }) => index)
  const [middle] = spaces.sort((a, b) => Math.abs(a - cause.length / 2) - Math.abs(b - cause.length / 2))
  const lines = middle === undefined ? [cause] : [cause.slice(0, middle), cause.slice(middle + 1)]
  return `<table border="0" cellpadding="7"><tr><td>${lines.map(escapeHtml).join('<br/>')}</td></tr></table>`
}

/** The final states that a state can reach, two per line. They are shown below its name. */
const linesOf = (ends: readonly string[]): string[] =>
  ends.flatMap((_, index) =>
    index % 2 === 0 ? [`${index === 0 ? 'ends: ' : ''}${ends.slice(index, index + 2).join(', ')}`] : [],
  )
