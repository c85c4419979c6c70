import { createAdminClient } from '@conversation-gateway/sdk/admin'
import { createWorker, type WorkerAssistant } from '@conversation-gateway/sdk/worker'
import type { Context } from '../context.ts'
import type { BehaviourCase } from './behaviour-case.ts'
import { claimEqual } from './claims.ts'

/** Creates a device with a service, and runs a worker for it until `work` is done. */
const withWorker = async (
  { origin, adminToken, appId, client }: Context,
  assistant: WorkerAssistant,
  work: (ask: (text: string) => Promise<string | undefined>) => Promise<void>,
): Promise<void> => {
  const name = crypto.randomUUID()
  const [device_id, endpoint_id] = [`dev_${name}`, `ep_${name}`]
  const admin = createAdminClient({ baseUrl: origin, adminToken })
  await admin.devices.create({ device_id })
  await admin.endpoints.create(appId, { endpoint_id, device_id, assistant: { type: 'worker' } })
  const { key } = await admin.devices.createKey(device_id, {})
  const ending = new AbortController()
  const serving = createWorker({ url: origin, key, assistants: assistant }).run({ signal: ending.signal })
  try {
    const conversation = await client.conversations.create({ endpoint_id })
    await work(async (text) => (await client.ask(conversation, text).run()).result?.text)
  } finally {
    ending.abort()
    await serving
  }
}

export const workerCases: readonly BehaviourCase[] = [
  {
    name: 'a worker executes runs, and ends when its signal is aborted',
    run: async (context) => {
      const echo: WorkerAssistant = async function* ({ input }) {
        for (const word of ['You ', 'said: ', input.text ?? '']) {
          yield { delta: word }
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      }
      await withWorker(context, echo, async (ask) => {
        claimEqual(await ask('hello'), 'You said: hello', 'the first answer')
        claimEqual(await ask('again'), 'You said: again', 'the second answer')
      })
    },
  },
  {
    name: 'a worker executes a run once and streams each piece once, even if answers of the gateway are lost',
    run: async (context) => {
      let executions = 0
      const counting: WorkerAssistant = async function* () {
        executions += 1
        yield { delta: 'one ' }
        await new Promise((resolve) => setTimeout(resolve, 50))
        yield { delta: 'two' }
      }
      for (const path of ['/steps$', '/end$', '/claims$'])
        await context.inject({ path: `/worker/v1/.*${path}`, fault: { kind: 'lose-answer' } })
      await withWorker(context, counting, async (ask) => {
        claimEqual(await ask('count'), 'one two', 'the answer')
        claimEqual(executions, 1, 'executions')
      })
    },
  },
]
