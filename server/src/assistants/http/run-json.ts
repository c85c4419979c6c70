import type { AssistantInput, AssistantRequest, ContextMessage, Decision } from '../assistant.ts'

/** The decision, and the state that the assistant sent with its approval request. */
export interface Resume {
  readonly decision: Decision
  /** The JSON text as it was sent; null if there was none. */
  readonly stateText: string | null
}

export interface RunBody {
  readonly request: Omit<AssistantRequest, 'signal' | 'readContext' | 'readResource' | 'createResource'>
  readonly context: readonly ContextMessage[]
  readonly runToken: string
  readonly resume: Resume | null
  /** Whether this is a test run of an operator. */
  readonly isRehearsal?: boolean
}

/** The body of `executeRun` in the worker contract. Data and state are inserted as the text that was sent. */
export const runJson = ({ request, context, runToken, resume, isRehearsal = false }: RunBody): string => {
  const plain = {
    run_id: request.runId,
    app_id: request.appId,
    subject: request.subject,
    conversation_id: request.conversationId,
    message_id: request.messageId,
    generation: request.generation,
    endpoint_id: request.endpointId,
    binding_version: request.bindingVersion,
    deadline: request.deadline.toISOString(),
    run_token: runToken,
    ...(isRehearsal ? { rehearsal: true } : {}),
  }
  const members = [
    JSON.stringify(plain).slice(1, -1),
    `"input":${messageJson({}, request.input, {})}`,
    `"context":[${context.map(contextMessageJson).join()}]`,
    ...(resume === null ? [] : [`"resume":${resumeJson(resume)}`]),
  ]
  return `{${members.join()}}`
}

const contextMessageJson = ({ role, activities, ...message }: ContextMessage): string =>
  messageJson({ role }, message, { activities })

const messageJson = (before: object, { text, dataText, resourceIds }: AssistantInput, after: object): string => {
  const start = JSON.stringify({ ...before, text }).slice(0, -1)
  const end = JSON.stringify({ resource_ids: resourceIds, ...after }).slice(1)
  return `${start},"data":${dataText ?? 'null'},${end}`
}

const resumeJson = ({ decision, stateText }: Resume): string =>
  stateText === null ? JSON.stringify({ decision }) : `{"decision":"${decision}","state":${stateText}}`
