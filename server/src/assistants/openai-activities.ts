import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import { parseJson } from '../domain/json/parse-json.ts'

/** The activities of a model: its reasoning and its tool calls (D-69). */
export interface ModelActivities {
  /** A piece of reasoning. */
  reason(text: string): ActivityUpdate[]
  /** The answer continues, so the reasoning is complete. */
  settle(): ActivityUpdate[]
  /** Pieces of tool calls, which servers stream. */
  call(toolCalls: readonly ToolCallPiece[]): void
  /** The activities to finish at the end. Tool calls fail, because the gateway does not execute them (D-72). */
  end(): ActivityUpdate[]
}

export interface ToolCallPiece {
  readonly index: number
  readonly id: string | null
  readonly name: string
  readonly arguments: string
}

/**
 * Maximum characters of one reasoning that are passed on, so that long reasoning does not exceed the limit of an
 * activity and fail the run.
 */
const REASONING_CHARACTERS = 16_000
/** Maximum number of reasonings, and of tool calls, that are passed on. */
const MOST_PER_KIND = 32
/** Maximum characters of one tool call's arguments that are passed on. */
const ARGUMENT_CHARACTERS = 8000

export const createModelActivities = (): ModelActivities => {
  let reasonings = 0
  let characters = 0
  let isReasoning = false
  const calls = new Map<number, { id: string | null; name: string; arguments: string }>()

  const idOf = (): string => (reasonings === 1 ? 'reasoning' : `reasoning_${reasonings}`)
  const settle = (): ActivityUpdate[] => {
    if (!isReasoning) return []
    isReasoning = false
    return [{ activity_id: idOf(), state: 'succeeded' }]
  }

  return {
    reason: (text) => {
      if (text === '' || (!isReasoning && reasonings === MOST_PER_KIND)) return []
      const begin: Partial<ActivityUpdate> = isReasoning
        ? {}
        : { kind: 'reasoning', name: 'reasoning', state: 'running' }
      if (!isReasoning) {
        isReasoning = true
        reasonings += 1
        characters = 0
      }
      const piece = text.slice(0, Math.max(0, REASONING_CHARACTERS - characters))
      characters += text.length
      return piece === '' ? [] : [{ activity_id: idOf(), ...begin, text_delta: piece }]
    },
    settle,
    call: (pieces) => {
      for (const { index, id, name, arguments: more } of pieces) {
        const known = calls.get(index) ?? { id: null, name: '', arguments: '' }
        if (!calls.has(index) && calls.size === MOST_PER_KIND) continue
        calls.set(index, {
          id: known.id ?? id,
          name: known.name === '' ? name : known.name,
          arguments: (known.arguments + more).slice(0, ARGUMENT_CHARACTERS),
        })
      }
    },
    end: () => [
      ...settle(),
      ...[...calls].map(
        ([index, call]): ActivityUpdate => ({
          activity_id: (call.id || `call_${index + 1}`).slice(0, 128),
          kind: 'tool',
          name: call.name.slice(0, 256) || 'unknown',
          state: 'failed',
          ...(call.arguments === '' ? {} : { input: parsed(call.arguments) }),
        }),
      ),
    ],
  }
}

/** Models do not always write valid JSON. */
const parsed = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
