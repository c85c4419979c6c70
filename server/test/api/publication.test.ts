import { expect, test } from 'vitest'
import { ended, script } from '../support/client.ts'
import { publishService, publishVersion } from '../support/publish-service.ts'
import { onGateways } from '../support/running-gateway.ts'

onGateways('a conversation', (running) => {
  test('is answered by the assistant of its version until a reset adopts the current one [GEN-12, VER-03]', async () => {
    const client = running.client()
    const { endpoint_id } = await publishService(running, { assistant: { type: 'echo' } })
    const { conversation_id: id } = (await client.createConversation({ endpoint_id })).body
    await publishVersion(running, endpoint_id, { assistant: { type: 'script' } })

    // The two assistants answer this input with different texts.
    const input = script({ succeed: { text: 'scripted' } })
    const answer = async (generation: number) => {
      const { run_id: runId } = (await client.send(id, input, generation)).body
      return (await ended(client, runId)).result?.text
    }
    expect(await answer(1)).toBe(JSON.stringify(input.data))
    await client.reset(id, 1)
    expect(await answer(2)).toBe('scripted')
  })
})
