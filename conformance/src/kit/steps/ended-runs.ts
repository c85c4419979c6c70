import type { ScriptStep } from '../config/driver.ts'
import type { ServerContext } from '../server/context.ts'
import { sendExpiring } from './expiring-runs.ts'
import { cancelRun } from './runs.ts'

/** Ends runs in different conversations in every state that needs neither a lost device nor a moved clock. */
export async function endAsEach(t: ServerContext): Promise<{ readonly state: string; readonly runId: string }[]> {
  const end = async (...steps: readonly ScriptStep[]): Promise<string> => {
    const { admission } = await t.start(...steps)
    await t.runEnded(admission.run_id)
    return admission.run_id
  }
  const [succeeded, failed, stopped, dropped, expired] = await Promise.all([
    end({ delta: 'all' }, { succeed: { text: 'all' } }),
    end({ delta: 'half' }, { fail: { code: 'BROKEN', message: 'It broke.' } }),
    stopExecuting(t),
    dropQueued(t),
    expire(t),
  ])
  return [
    { state: 'succeeded', runId: succeeded },
    { state: 'failed', runId: failed },
    { state: 'cancelled', runId: stopped },
    { state: 'cancelled', runId: dropped },
    { state: 'expired', runId: expired },
  ]
}

async function stopExecuting(t: ServerContext): Promise<string> {
  const { admission } = await t.startIn('running', { delta: 'half' }, { hang: true })
  await cancelRun(t, admission.run_id)
  return admission.run_id
}

async function dropQueued(t: ServerContext): Promise<string> {
  const { conversation, admission } = await t.start({ hang: true })
  const { run_id: runId } = await t.admit(conversation, t.script({ succeed: {} }))
  await t.me.cancel(runId)
  await cancelRun(t, admission.run_id)
  return runId
}

async function expire(t: ServerContext): Promise<string> {
  const { conversation, admission } = await t.start({ hang: true })
  const runId = await sendExpiring(t, conversation.conversation_id)
  await t.runIn(runId, ['expired'])
  await cancelRun(t, admission.run_id)
  return runId
}
