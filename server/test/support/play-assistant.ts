import type {
  Assistant,
  AssistantInput,
  AssistantOutcome,
  AssistantRequest,
  Decision,
} from '../../src/assistants/assistant.ts'
import { readData } from '../../src/assistants/assistant.ts'

export interface Performance {
  readonly steps: unknown[]
  readonly outcome: AssistantOutcome | undefined
}

/** Input whose data was sent as `JSON.stringify` writes it. */
export const inputOf = ({ data, ...more }: Omit<AssistantInput, 'dataText'>): AssistantInput => ({
  ...more,
  ...readData(data === null ? null : JSON.stringify(data)),
})

export const createRequest = (given: Partial<AssistantRequest> = {}): AssistantRequest => ({
  appId: 'app_1',
  subject: 'subject',
  endpointId: 'ep_1',
  conversationId: 'conv_1',
  generation: 1,
  runId: 'run_1',
  messageId: 'msg_1',
  bindingVersion: 1,
  deadline: new Date('2030-01-01T00:00:00.000Z'),
  input: inputOf({ text: 'input', data: null, resourceIds: [] }),
  traceparent: null,
  signal: new AbortController().signal,
  readContext: async () => [],
  readResource: async () => null,
  createResource: async () => {
    throw new Error('this request has no store')
  },
  ...given,
})

/** Runs an assistant until it ends; every approval that it requests gets the decision. */
export const play = async (
  assistant: Assistant,
  given: Partial<AssistantRequest> = {},
  decision: Decision = 'approved',
): Promise<Performance> => {
  const steps: unknown[] = []
  const generator = assistant(createRequest(given))
  let turn = await generator.next()
  while (turn.done !== true) {
    steps.push(turn.value)
    turn = await generator.next('approval' in turn.value ? decision : undefined)
  }
  return { steps, outcome: turn.value }
}
