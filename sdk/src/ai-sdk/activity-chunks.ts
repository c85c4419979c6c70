import type { UIMessageChunk } from 'ai'
import type { Activity } from '../generated/gateway.ts'
import { dataTypeOf, failureOf, webSourceOf } from './activity-parts.ts'

type Chunks = Generator<UIMessageChunk, void, undefined>

/** The activities of one reply as chunks, in the order in which they change. */
export interface ActivityChunks {
  /** The chunks of an activity that has changed. */
  of(activity: Activity): Chunks
  /** Ends the reasoning that the run has left under way. */
  end(): Chunks
}

export const createActivityChunks = (): ActivityChunks => {
  /** What was given of each reasoning, in the part that is under way. */
  const openReasoning = new Map<string, string>()
  /** The text of each reasoning whose part has ended. */
  const endedReasoning = new Map<string, string>()
  const sources = new Set<string>()

  function* reasoning({ activity_id: id, state, text = '' }: Activity): Chunks {
    if (endedReasoning.get(id) === text) return
    endedReasoning.delete(id)
    const open = openReasoning.get(id)
    // Parts only grow: a text that was replaced is a new part.
    const before = open !== undefined && text.startsWith(open) ? open : undefined
    if (before === undefined) {
      if (open !== undefined) yield { type: 'reasoning-end', id }
      yield { type: 'reasoning-start', id }
    }
    const delta = text.slice(before?.length ?? 0)
    if (delta !== '') yield { type: 'reasoning-delta', id, delta }
    if (state === 'succeeded' || state === 'failed') {
      openReasoning.delete(id)
      endedReasoning.set(id, text)
      yield { type: 'reasoning-end', id }
    } else openReasoning.set(id, text)
  }

  function* other(activity: Activity): Chunks {
    const source = webSourceOf(activity)
    if (source === null) return yield { type: dataTypeOf(activity), id: activity.activity_id, data: activity }
    // A page shows each chunk of a source as another source.
    if (sources.has(source.sourceId)) return
    sources.add(source.sourceId)
    yield { type: 'source-url', ...source }
  }

  return {
    of(activity) {
      if (activity.kind === 'tool') return tool(activity)
      return activity.kind === 'reasoning' ? reasoning(activity) : other(activity)
    },
    *end() {
      for (const id of openReasoning.keys()) yield { type: 'reasoning-end', id }
      openReasoning.clear()
    },
  }
}

function* tool(activity: Activity): Chunks {
  const { activity_id: toolCallId, name: toolName, title, state, input = null, output } = activity
  // The assistant executes it: without `providerExecuted`, a page would take it for its own to execute.
  const call = { toolCallId, dynamic: true, providerExecuted: true }
  yield { type: 'tool-input-available', ...call, toolName, input, ...(title !== undefined && { title }) }
  if (state === 'failed') yield { type: 'tool-output-error', ...call, errorText: failureOf(activity) }
  else if (state === 'succeeded') yield { type: 'tool-output-available', ...call, output: output ?? null }
  else if (output !== undefined) yield { type: 'tool-output-available', ...call, output, preliminary: true }
}
