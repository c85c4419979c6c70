import type { ActivityUpdate } from '@conversation-gateway/openapi/behaviour/activities'
import type { RunUsage } from '@conversation-gateway/openapi/behaviour/conversation-changes'
import { z } from 'zod'
import { parseJson } from '../domain/json/parse-json.ts'
import type { AssistantOutcome } from './assistant.ts'
import { fail } from './assistant.ts'
import type { ModelActivities, ToolCallPiece } from './openai-activities.ts'
import { createModelActivities } from './openai-activities.ts'
import type { Body } from './openai-frames.ts'
import { FrameTooLong, readFrames } from './openai-frames.ts'

export interface AnswerReading {
  /** The answer's media type; null if there is none. */
  readonly contentType: string | null
  /** Whether an answer that ended at its length limit is a success. */
  readonly acceptTruncated: boolean
}

/**
 * Reads the body of a chat completion, and tolerates differences between real servers. The run succeeds only on
 * evidence that the answer is complete: a finish_reason, or, if every frame before it was understood, `[DONE]` or the
 * end of a JSON document.
 */
export async function* readAnswer(
  body: Body,
  reading: AnswerReading,
): AsyncGenerator<AnswerStep, AssistantOutcome, undefined> {
  const answer = createAnswer()
  const outcome = yield* readPieces(answer, body, reading)
  for (const activity of answer.activities.end()) yield { activity }
  const usage = answer.usage()
  return usage === null ? outcome : { ...outcome, usage }
}

type AnswerStep = { readonly delta: string } | { readonly activity: ActivityUpdate }

async function* readPieces(
  answer: Answer,
  body: Body,
  reading: AnswerReading,
): AsyncGenerator<AnswerStep, AssistantOutcome, undefined> {
  try {
    for await (const { data, isError, isCut } of readFrames(body)) {
      if (isError) return unavailable('reported an error')
      if (data === '') continue
      if (DONE.test(data)) return answer.end(reading, true)
      const chunk = readChunk(data)
      if (chunk === null && isCut) break
      if (chunk === null) return invalid('sent a frame that is not of the protocol')
      if (reportsError(chunk)) return unavailable('reported an error')
      yield* answer.take(chunk)
    }
  } catch (error) {
    if (error instanceof FrameTooLong) return invalid('sent a frame that is too long')
    // A broken connection: the answer may have been complete before.
    if (!(error instanceof TypeError)) throw error
  }
  return answer.end(reading, false)
}

const DONE = /^"?\[DONE\]"?$/

const contentSchema = z.union([
  z.string(),
  z.array(z.union([z.string(), z.looseObject({ text: z.unknown().optional() })])),
])
const pieceSchema = z.looseObject({
  content: contentSchema.nullish(),
  refusal: z.string().nullish(),
  /** The members in which servers stream reasoning. */
  reasoning_content: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  tool_calls: z.unknown().optional(),
  function_call: z.unknown().optional(),
})
const choiceSchema = z.looseObject({
  index: z.number().nullish(),
  delta: pieceSchema.nullish(),
  message: pieceSchema.nullish(),
  finish_reason: z.string().nullish(),
  error: z.unknown().optional(),
})
const chunkSchema = z.looseObject({
  choices: z.array(choiceSchema).nullish(),
  error: z.unknown().optional(),
  model: z.unknown().optional(),
  usage: z.unknown().optional(),
})

const tokens = z.int().min(0).optional().catch(undefined)
const usageSchema = z.looseObject({ prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens })
const toolCallsSchema = z.array(
  z.looseObject({
    index: z.int().min(0).nullish().catch(null),
    id: z.string().nullish().catch(null),
    function: z
      .looseObject({ name: z.string().nullish().catch(null), arguments: z.string().nullish().catch(null) })
      .nullish(),
  }),
)

type Piece = z.infer<typeof pieceSchema>
type Choice = z.infer<typeof choiceSchema>
type Chunk = z.infer<typeof chunkSchema>

const readChunk = (data: string): Chunk | null => {
  try {
    return chunkSchema.safeParse(parseJson(data)).data ?? null
  } catch {
    return null
  }
}

/** Members by which servers report an error in a frame that has no choices. */
const ERROR_MEMBERS =
  /^(?:err(?:or)?s?|err(?:or)?_?(?:code|message|msg)|exception|detail|message|msg|code|status_code)$/i

const reportsError = (chunk: Chunk): boolean => {
  if (chunk.error || chunk.choices?.some(({ error }) => error)) return true
  if (chunk.choices) return false
  return Object.entries(chunk).some(
    ([name, value]) =>
      (ERROR_MEMBERS.test(name) && Boolean(value)) || ((name === 'object' || name === 'type') && value === 'error'),
  )
}

type Ending = 'complete' | 'truncated' | 'toolCalls' | 'filtered' | 'broken' | 'unknown'

/** The meaning of each `finish_reason`, in lower case. */
const ENDINGS: ReadonlyMap<string, Ending> = new Map([
  ...['stop', 'stop_sequence', 'eos', 'eos_token', 'end_turn', 'complete'].map((it) => [it, 'complete'] as const),
  ...['length', 'max_tokens', 'model_length'].map((it) => [it, 'truncated'] as const),
  ...['tool_calls', 'function_call', 'tool_use'].map((it) => [it, 'toolCalls'] as const),
  ...['content_filter', 'refusal', 'safety'].map((it) => [it, 'filtered'] as const),
  ...['error', 'abort', 'cancelled', 'insufficient_system_resource'].map((it) => [it, 'broken'] as const),
])

const endingOf = (finishReason: string | null | undefined): Ending | null => {
  const reason = finishReason?.toLowerCase() ?? ''
  return reason === '' || reason === 'null' ? null : (ENDINGS.get(reason) ?? 'unknown')
}

/** Whether a frame has choices (null included) or usage, or is a ping. Other frames may report an unknown failure. */
const isKnownFrame = (chunk: Chunk): boolean => 'choices' in chunk || 'usage' in chunk || chunk.type === 'ping'

interface Answer {
  /** Records a chunk and returns its content. */
  take(chunk: Chunk): AnswerStep[]
  readonly activities: ModelActivities
  /** The usage that the server reports; null if none. */
  usage(): RunUsage | null
  /** @param isDone whether the server has sent `[DONE]`. */
  end(reading: AnswerReading, isDone: boolean): AssistantOutcome
}

const createAnswer = (): Answer => {
  let ending: Ending | null = null
  let hasFrames = false
  let hasChoice = false
  let hasDeltas = false
  let isUnderstood = true
  let used: RunUsage | null = null
  let model: string | null = null
  const activities = createModelActivities()

  const note = (next: Ending | null): void => {
    if (next !== null && (ending === null || ending === 'complete')) ending = next
  }

  return {
    activities,
    usage: () => used && { ...used, ...(model === null ? {} : { model }) },
    take: (chunk) => {
      hasFrames = true
      isUnderstood &&= isKnownFrame(chunk)
      used = readUsage(chunk.usage) ?? used
      if (typeof chunk.model === 'string' && chunk.model !== '') model = chunk.model.slice(0, 256)
      const choice = firstChoice(chunk.choices ?? [])
      if (choice === null) return []
      hasChoice = true
      hasDeltas ||= Boolean(choice.delta)
      note(endingOf(choice.finish_reason))
      // Some servers repeat the whole message after its pieces.
      const piece = choice.delta ?? (hasDeltas ? null : choice.message)
      if (!piece) return []
      if (hasToolCalls(piece)) note('toolCalls')
      if (piece.refusal) note('filtered')
      activities.call(readToolCalls(piece))
      const text = textOf(piece.content) + (piece.refusal ?? '')
      const reasoned = activities.reason(reasoningOf(piece))
      return [
        ...[...reasoned, ...(text === '' ? [] : activities.settle())].map((activity) => ({ activity })),
        ...(text === '' ? [] : [{ delta: text }]),
      ]
    },
    end: ({ contentType, acceptTruncated }, isDone) => {
      if (ending !== null) return outcomeOf(ending, acceptTruncated)
      if (isDone && !hasChoice) return invalid('answered without a choice')
      if (isDone && isUnderstood) return { state: 'succeeded' }
      return hasFrames || /^text\/event-stream\b/i.test(contentType ?? '')
        ? unavailable('ended the answer before it was complete')
        : invalid('did not answer with a chat completion')
    },
  }
}

/** The gateway requests one choice. A server that sends several gives each an `index`. */
const firstChoice = (choices: readonly Choice[]): Choice | null =>
  choices.find(({ index }, place) => (index ?? place) === 0) ?? null

const hasToolCalls = ({ tool_calls, function_call }: Piece): boolean =>
  (Array.isArray(tool_calls) ? tool_calls.length > 0 : Boolean(tool_calls)) || Boolean(function_call)

const readToolCalls = ({ tool_calls }: Piece): ToolCallPiece[] =>
  (toolCallsSchema.safeParse(tool_calls).data ?? []).map(({ index, id, function: called }, place) => ({
    index: index ?? place,
    id: id ?? null,
    name: called?.name ?? '',
    arguments: called?.arguments ?? '',
  }))

const reasoningOf = ({ reasoning_content, reasoning }: Piece): string =>
  [reasoning_content, reasoning].find((text): text is string => typeof text === 'string') ?? ''

const readUsage = (usage: unknown): RunUsage | null => {
  const read = usageSchema.safeParse(usage).data
  if (read === undefined) return null
  const { prompt_tokens, completion_tokens, total_tokens } = read
  const members = { input_tokens: prompt_tokens, output_tokens: completion_tokens, total_tokens }
  return Object.fromEntries(Object.entries(members).filter(([, count]) => count !== undefined))
}

const textOf = (content: Piece['content']): string => {
  if (!Array.isArray(content)) return content ?? ''
  return content
    .map((part) => (typeof part === 'string' ? part : typeof part.text === 'string' ? part.text : ''))
    .join('')
}

const outcomeOf = (ending: Ending, acceptTruncated: boolean): AssistantOutcome => {
  switch (ending) {
    case 'complete':
      return { state: 'succeeded' }
    case 'truncated':
      return acceptTruncated
        ? { state: 'succeeded', truncated: true }
        : fail('ANSWER_TRUNCATED', 'The answer reached the length limit of the model server.')
    case 'toolCalls':
      return fail('TOOL_CALLS_UNSUPPORTED', 'The model asked for tools, which this service does not have.')
    case 'filtered':
      return fail('CONTENT_FILTERED', 'The model or a content filter of its server withheld the answer.')
    case 'broken':
      return unavailable('ended the answer with an error')
    case 'unknown':
      return invalid('ended the answer with an unknown finish_reason')
  }
}

export const unavailable = (what: string): AssistantOutcome =>
  fail('UPSTREAM_UNAVAILABLE', `The model server ${what}.`, { retryable: true })

const invalid = (what: string): AssistantOutcome => fail('UPSTREAM_INVALID', `The model server ${what}.`)
