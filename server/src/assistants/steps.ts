import type {
  AssistantStep as ContractStep,
  End,
  HttpStep,
} from '@conversation-gateway/openapi/generated/worker-closed'
import contract from '@conversation-gateway/openapi/worker.json' with { type: 'json' }
import type { Validator } from '../domain/contract/validators.ts'
import { createValidators } from '../domain/contract/validators.ts'
import { outcomeOf } from '../domain/end-outcome.ts'
import type { AssistantOutcome, AssistantStep } from './assistant.ts'

/** The steps of D-65. The contract's schema validates those of modules and `http` assistants. */

/** A step, or the end of the run, which is the last step. */
export type ReadStep = AssistantStep | { readonly end: AssistantOutcome }

/**
 * Reads a value that an assistant yielded.
 * @param source starts the error's message, such as `The module orders.js yielded`.
 * @throws Error that names each wrong member by its pointer.
 */
export const readStep = (value: unknown, source: string): ReadStep => {
  check('AssistantStep', value, source)
  // The schema has just validated it.
  const step = value as ContractStep
  if (step.end !== undefined) return { end: outcomeOf(step.end) }
  return step as AssistantStep
}

/** The faults of a step or an `end` against the contract, with their locations; empty if it is valid. */
export const findFaults = (name: 'AssistantStep' | 'End', value: unknown): string[] =>
  validatorOf(name)(value).map(({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.')}: ${message}`)

/** A step of an `http` assistant: an approval may come with a state. */
export type ReadHttpStep =
  | Exclude<ReadStep, { readonly approval: string }>
  | { readonly approval: string; readonly hasState: boolean }

/** Reads a step of an `http` assistant. @throws as `readStep`. */
export const readHttpStep = (value: unknown, source: string): ReadHttpStep => {
  if (typeof value !== 'object' || value === null || !('state' in value)) {
    const step = readStep(value, source)
    return 'approval' in step ? { ...step, hasState: false } : step
  }
  check('HttpStep', value, source)
  // The schema allows a state only with an approval.
  const { approval = '' } = value as HttpStep
  return { approval, hasState: true }
}

/** Reads the return value of a generator: an `end` with `resourceIds`, or undefined. @throws as `readStep`. */
export const readOutcome = (value: unknown, source: string): AssistantOutcome | undefined => {
  if (value === undefined) return undefined
  const end = withWireNames(value)
  check('End', end, source)
  return outcomeOf(end as End)
}

const withWireNames = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('resourceIds' in value)) return value
  const { resourceIds, ...rest } = value
  return { ...rest, resource_ids: resourceIds }
}

const check = (name: 'AssistantStep' | 'HttpStep' | 'End', value: unknown, source: string): void => {
  const faults = validatorOf(name)(value)
  if (faults.length === 0) return
  const list = faults.map(({ pointer, message }) => `${pointer || 'the value'} ${message}`).join('; ')
  throw new Error(`${source} something other than documented: ${list}.`)
}

/** Compiled at first use, because most processes do not need it. */
const validatorOf = (name: string): Validator => createValidators(contract)(`/components/schemas/${name}`)
