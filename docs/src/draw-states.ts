import { instance } from '@viz-js/viz'
import { escapeHtml } from './markdown.ts'

/** Which states each state leads to. A state that leads nowhere is final. */
export type Transitions = Readonly<Record<string, readonly string[]>>

/** A drawing of a state machine as SVG for a page: its colours are those of the theme, `title` is its accessible name. */
export const drawStates = async (
  name: string,
  title: string,
  initial: string,
  transitions: Transitions,
): Promise<string> => {
  const viz = await instance()
  const svg = viz.renderString(toDot(name, initial, transitions), { format: 'svg' })
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
const SCALE = 1.2

const toDot = (name: string, initial: string, transitions: Transitions): string => {
  const nodes = Object.entries(transitions).map(
    ([state, next]) => `"${state}" [class="${classOf(state, initial, next)}"]`,
  )
  const edges = Object.entries(transitions).flatMap(([from, next]) => next.map((to) => `"${from}" -> "${to}"`))
  return `digraph "${name}" {
  rankdir=LR; bgcolor=transparent; nodesep=0.22; ranksep=0.45; pad=0.1
  node [shape=box, style=rounded, fontname="Helvetica", fontsize=14, height=0.4, margin="0.15,0.05"]
  edge [arrowsize=0.6]
  ${[...nodes, ...edges].join('\n  ')}
}`
}

const classOf = (state: string, initial: string, next: readonly string[]): string =>
  state === initial ? 'state initial' : next.length === 0 ? 'state final' : 'state'
