import { findMember, textOf } from '../../domain/json/find-value.ts'
import { WEBHOOK_LIMITS } from '../../domain/json/limits.ts'
import { parseJson } from '../../domain/json/parse-json.ts'
import { scanJson } from '../../domain/json/scan-json.ts'
import { ROOT } from '../../domain/json/scanned-json.ts'
import type { AssistantOutcome, AssistantStep } from '../assistant.ts'
import type { ReadHttpStep } from '../steps.ts'
import { readHttpStep } from '../steps.ts'
import { AnswerFault } from './answer-fault.ts'
import type { Answer } from './post-run.ts'
import { readLines } from './read-lines.ts'

/** The last step of an answer. */
export type AnswerEnd =
  | { readonly end: AssistantOutcome }
  /** `stateText`: the state in JSON as it was sent; null if there is none. */
  | { readonly approval: string; readonly stateText: string | null }

/** Maximum size of an approval's state, in bytes. */
export const STATE_BYTES = 64 * 1024

/**
 * Yields the steps of an answer and returns the last one. It does not read beyond that step.
 * @throws {AnswerFault} the answer contains an invalid or too long step, or stops without a last one.
 */
export async function* readAnswer({
  format,
  body,
}: Pick<Answer, 'format' | 'body'>): AsyncGenerator<Exclude<AssistantStep, { approval: string }>, AnswerEnd> {
  let count = 0
  for await (const { bytes, isCut } of readLines(body, format)) {
    count += 1
    const value = parse(bytes)
    if (value === undefined && isCut) break
    if (value === undefined) throw noStep(`step ${count} is not JSON in UTF-8`)
    const step = read(value, count)
    if ('end' in step) return step
    if ('approval' in step) return { approval: step.approval, stateText: step.hasState ? stateOf(bytes) : null }
    yield step
  }
  throw new AnswerFault('ASSISTANT_DISCONNECTED', `expected an end step; the answer stopped after ${count} steps`)
}

/** Undefined, which is no JSON value, if the text is not JSON. */
const parse = (bytes: Buffer): unknown => {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

const read = (value: unknown, count: number): ReadHttpStep => {
  try {
    return readHttpStep(value, `Step ${count} is`)
  } catch (error) {
    throw noStep(error instanceof Error ? error.message : `step ${count} cannot be read`)
  }
}

/** The assistant gets its state back as the exact text that it sent. */
const stateOf = (bytes: Buffer): string => {
  const json = scanJson(bytes, WEBHOOK_LIMITS)
  const entry = 'fault' in json ? null : findMember(json, ROOT, 'state')
  if ('fault' in json || entry === null) throw noStep('the state of an approval cannot be read')
  const state = textOf(json, entry)
  if (Buffer.byteLength(state) > STATE_BYTES)
    throw new AnswerFault('ASSISTANT_STATE_TOO_LARGE', `expected a state of at most ${STATE_BYTES} bytes of JSON`)
  return state
}

const noStep = (found: string): AnswerFault =>
  new AnswerFault('ASSISTANT_ERROR', `expected an object with one of delta, message, activity, approval, end: ${found}`)
