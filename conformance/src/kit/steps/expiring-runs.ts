import type { ServerContext } from '../server/context.ts'
import type { Answer } from '../server/wire.ts'

/** How long before `start_before` a request is sent. One second suffices unless the machine is busy. */
const WINDOWS_MS = [1000, 4000, 16_000] as const

/** Posts work with a `start_before` in the near future until it is admitted, with increasing time. */
export async function admitExpiring<Body>(
  t: ServerContext,
  post: (startBefore: string) => Promise<Answer<Body>>,
): Promise<{ readonly body: Body; readonly startBefore: string }> {
  let refusal = ''
  for (const windowMs of WINDOWS_MS) {
    const startBefore = new Date(t.now() + windowMs).toISOString()
    const { status, body, text } = await post(startBefore)
    if (status >= 200 && status < 300) return { body, startBefore }
    refusal = `${status} ${text}`
  }
  throw new Error(`work with a start_before in the future is refused: ${refusal}`)
}

/** Sends a message whose `start_before` is in the near future, and returns the ID of its run. */
export async function sendExpiring(t: ServerContext, conversationId: string): Promise<string> {
  const { body } = await admitExpiring(t, (startBefore) =>
    t.me.send(conversationId, t.script({ succeed: {} }), { startBefore }),
  )
  return body.run_id
}
