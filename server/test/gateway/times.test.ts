import type { Conversation, ConversationList } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import { reportOutcome } from '../../src/gateway/execution.ts'
import type { Statement } from '../../src/store/db.ts'
import { findRun } from '../../src/store/runs.ts'
import { answerOf } from '../admin/support.ts'
import { eachDatabase } from '../support/databases/databases.ts'
import { newConversation, sendText, takeRun } from '../support/gateway-fixture.ts'
import { onGateways } from '../support/running-gateway.ts'

const EVENT_TIMES: Statement = {
  name: 'test_event_times',
  access: 'read',
  text: 'select type, created_at as at from events where app_id = $1 and conversation_id = $2 order by seq',
}

eachDatabase('the times of a run', (database) => {
  test('never go back, even if the clock of the process that writes the next state is behind [RUN-07]', async () => {
    const { db } = database
    const { clock, context, service, tenant, conversationId } = await newConversation(db)
    const admittedAt = clock.now()
    const { run_id } = answerOf(await sendText(context, tenant, conversationId))
    const timesOf = async () => {
      const run = await findRun(db, tenant, run_id)
      return { state: run?.state, createdAt: run?.createdAt, updatedAt: run?.updatedAt }
    }

    clock.pass(-5)
    const claimed = await takeRun(context, service)
    expect(await timesOf()).toEqual({ state: 'running', createdAt: admittedAt, updatedAt: admittedAt })
    await reportOutcome(context, claimed, { state: 'succeeded', text: 'done' })
    expect(await timesOf()).toEqual({ state: 'succeeded', createdAt: admittedAt, updatedAt: admittedAt })

    const events = await db.query<{ type: string; at: Date }>(EVENT_TIMES, [service.appId, conversationId])
    expect(events.find(({ type }) => type === 'run.started')?.at).toEqual(admittedAt)
  })
})

onGateways('the list of conversations', (running) => {
  test('is in the order of created_at, even if the clock moves back between creations [LIST-07]', async () => {
    const client = running.client()
    const made: Conversation[] = []
    for (const ms of [0, 10_000, -5000, -1, 3]) {
      running.clock.pass(ms)
      made.push((await client.createConversation()).body)
    }
    running.clock.pass(5000)
    const newestFirst = made.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    const { body } = await client.request<ConversationList>('GET', '/api/v1/conversations?endpoint_id=ep_script')
    expect(body.conversations).toEqual(newestFirst)
  })
})
