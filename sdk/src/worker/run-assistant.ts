import {
  checkStep,
  endOf,
  type NewWorkerResource,
  type WorkerAssistant,
  type WorkerContextMessage,
  type WorkerDecision,
  type WorkerEnd,
  type WorkerInput,
  type WorkerRequest,
  type WorkerStep,
} from './assistant.ts'

export interface RunAssistantOptions
  extends Partial<Omit<WorkerRequest, 'input' | 'readContext' | 'readResource' | 'createResource'>> {
  /** The result of `readContext`. Default: empty. */
  readonly context?: readonly WorkerContextMessage[]
  /** The attachments for `readResource`, by ID. Default: none. */
  readonly resources?: Readonly<Record<string, NewWorkerResource>>
  /** How approvals are decided. Default `approved`. */
  readonly decide?: (summary: string) => WorkerDecision
}

/** The output of an assistant. */
export interface AssistantRun {
  readonly steps: readonly Exclude<WorkerStep, { readonly end: unknown }>[]
  /** The streamed text. */
  readonly text: string
  readonly end: WorkerEnd
  /** The attachments that it stored with `createResource`, by ID. */
  readonly created: ReadonlyMap<string, NewWorkerResource>
}

/**
 * Runs an assistant once without a gateway, for tests.
 * @param input A text, or the members of the input that are not empty.
 * @throws the assistant's exception, or an Error that names the member of an invalid step.
 */
export const runAssistant = async (
  assistant: WorkerAssistant,
  input: string | Partial<WorkerInput>,
  options: RunAssistantOptions = {},
): Promise<AssistantRun> => {
  const { context = [], resources = {}, decide = () => 'approved', ...given } = options
  const created = new Map<string, NewWorkerResource>()
  const steps: Exclude<WorkerStep, { readonly end: unknown }>[] = []
  const finish = (end: WorkerEnd): AssistantRun => ({
    steps,
    text: steps.map((step) => ('delta' in step ? step.delta : '')).join(''),
    end,
    created,
  })
  const { text = null, data = null, resourceIds = [] } = typeof input === 'string' ? { text: input } : input
  const generator = assistant({
    runId: 'run_test',
    appId: 'app_test',
    subject: 'subject-test',
    endpointId: 'ep_test',
    conversationId: 'conv_test',
    generation: 1,
    assistant: { type: 'worker' },
    messageId: 'msg_test',
    bindingVersion: 1,
    deadline: new Date(8.64e15),
    traceparent: null,
    signal: new AbortController().signal,
    ...given,
    input: { text, data, dataText: data === null ? null : JSON.stringify(data), resourceIds },
    readContext: async () => context,
    readResource: async (resourceId) => {
      const resource =
        created.get(resourceId) ?? (Object.hasOwn(resources, resourceId) ? resources[resourceId] : undefined)
      if (resource === undefined) return null
      const { filename, contentType, content } = resource
      return { filename, contentType, size: content.byteLength, readContent: async () => content }
    },
    createResource: async (resource) => {
      const resourceId = `res_${created.size + 1}`
      created.set(resourceId, resource)
      return resourceId
    },
  })
  try {
    let reply: WorkerDecision | undefined
    for (;;) {
      const turn = await generator.next(reply)
      if (turn.done === true) {
        return finish(turn.value === undefined ? { state: 'succeeded' } : endOf(turn.value))
      }
      checkStep(turn.value)
      if ('end' in turn.value) return finish(turn.value.end)
      steps.push(turn.value)
      reply = 'approval' in turn.value ? decide(turn.value.approval) : undefined
    }
  } finally {
    await generator.return(undefined)
  }
}
