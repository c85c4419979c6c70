import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'
import type { Answer } from '../server/wire.ts'
import { idsOf, listItems } from './conversations.ts'
import { isEnd, readEvents } from './events.ts'
import { countInputs } from './keyed-operations.ts'

/** The visible effects of requests. */
export interface Effects {
  readonly conversations: number
  readonly inputs: number
  readonly runs: number
  readonly endedRuns: number
  readonly resets: number
}

export interface Sending {
  /** Different content under the same key. Default: the first content. */
  readonly variant?: number
  readonly giveUpAfterMs?: number
}

/** A request with its own key, ready to be sent any number of times. It must take effect exactly once. */
export interface PreparedRequest {
  /** The caller that can read its effects. */
  readonly caller: Caller
  /** Existing conversations in which it may have effects. */
  readonly targets: readonly string[]
  readonly effects: Effects
  send(options?: Sending): Promise<Answer>
}

/** A request that takes effect once even if it is sent several times. */
export interface RepeatableRequest {
  readonly name: string
  /** Whether different content would be admitted as well. */
  readonly varies: boolean
  prepare(): Promise<PreparedRequest>
}

export const NO_EFFECTS: Effects = { conversations: 0, inputs: 0, runs: 0, endedRuns: 0, resets: 0 }

const AT_ONCE = 20
/** Delays that interrupt a request while it is received, decided, stored and answered. */
const GIVE_UP_AFTER_MS = Array.from({ length: 13 }, (_, ms) => ms)

const add = (one: Effects, other: Effects, times = 1): Effects => ({
  conversations: one.conversations + times * other.conversations,
  inputs: one.inputs + times * other.inputs,
  runs: one.runs + times * other.runs,
  endedRuns: one.endedRuns + times * other.endedRuns,
  resets: one.resets + times * other.resets,
})

const sum = (effects: readonly Effects[]): Effects => effects.reduce((total, one) => add(total, one), NO_EFFECTS)

/** Reads the content of one conversation. Fails if an event is of an unknown run. */
async function readConversation(t: ServerContext, caller: Caller, conversationId: string): Promise<Effects> {
  const { generation, runs, watermark } = expectStatus(await caller.snapshot(conversationId), 200).body
  const reached = `the events of ${conversationId} up to its watermark`
  const isWhole = (events: readonly { readonly seq: number }[]): boolean => (events.at(-1)?.seq ?? 0) >= watermark
  const events = watermark === 0 ? [] : await readEvents(t, conversationId, reached, isWhole, { after: 0, caller })
  const known = new Set(runs.map(({ run_id: id }) => id))
  const seen = events.filter(({ seq }) => seq <= watermark)
  for (const { seq, type, run_id: runId } of seen)
    assert.ok(runId === null || known.has(runId), `the event ${seq} (${type}) is of a run that does not exist`)
  return {
    conversations: 0,
    inputs: await countInputs(caller, conversationId),
    runs: runs.length,
    endedRuns: seen.filter(isEnd).length,
    resets: generation - 1,
  }
}

/** Takes a snapshot. The returned function returns everything added since. */
async function watchEffects(
  t: ServerContext,
  caller: Caller,
  targets: readonly string[],
): Promise<() => Promise<Effects>> {
  const list = async () => idsOf(await listItems(caller, t.config.services.main))
  const known = new Set(await list())
  const lookAt = async (ids: readonly string[]): Promise<Effects> => {
    const found: Effects[] = []
    for (const id of ids) found.push(await readConversation(t, caller, id))
    return sum(found)
  }
  const before = await lookAt(targets)
  return async () => {
    const created = (await list()).filter((id) => !known.has(id))
    const after = await lookAt([...targets, ...created])
    return { ...add(after, before, -1), conversations: created.length }
  }
}

/** The IDs of admitted records in an answer. */
const idsIn = ({ text }: Answer): string[] =>
  [...text.matchAll(/"((?:conv|msg|run|op|res)_[^"]+)"/g)].map(([, id = '']) => id).sort()

const isAccepted = ({ status }: Answer): boolean => status >= 200 && status < 300

/** Sends each request, and fails unless the effects in total are those of one execution of each. */
async function expectEffects(
  t: ServerContext,
  what: string,
  requests: readonly PreparedRequest[],
  act: (request: PreparedRequest) => Promise<void>,
): Promise<void> {
  const [first] = requests
  if (first === undefined) return
  const effects = await watchEffects(
    t,
    first.caller,
    requests.flatMap(({ targets }) => targets),
  )
  for (const request of requests) await act(request)
  const expected = sum(requests.map((one) => one.effects))
  await t.until(`${what} to have the effects of ${requests.length}`, effects, (seen) =>
    isDeepStrictEqual(seen, expected),
  )
}

/** Fails unless a final repeat is answered with the same IDs as each accepted request. */
async function expectRepeat(what: string, answers: readonly Answer[], { send }: PreparedRequest): Promise<void> {
  const again = expectStatus(await send(), 200, 201, 202)
  for (const answer of answers.filter(isAccepted))
    assert.deepEqual(idsIn(answer), idsIn(again), `${what}: an equal request got another answer`)
}

/** Sends many equal requests at once. A request that arrives before the first is decided may be refused temporarily. */
export async function expectOneEffectAtOnce(t: ServerContext, { name, prepare }: RepeatableRequest): Promise<void> {
  const what = `${AT_ONCE} equal requests for ${name} at once`
  await expectEffects(t, what, [await prepare()], async (request) => {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => request.send()))
    for (const answer of answers) expectStatus(answer, 200, 201, 202, 409, 425, 429, 503)
    await expectRepeat(what, answers, request)
  })
}

/** Sends requests that the client abandons and then repeats. */
export async function expectOneEffectWhenGivenUp(
  t: ServerContext,
  { name, prepare }: RepeatableRequest,
): Promise<void> {
  const requests = await Promise.all(GIVE_UP_AFTER_MS.map(() => prepare()))
  const delaysMs = [...GIVE_UP_AFTER_MS]
  const what = `${requests.length} requests for ${name} that were abandoned and repeated`
  await expectEffects(t, what, requests, async (request) => {
    const answer = await request.send({ giveUpAfterMs: delaysMs.shift() ?? 0 }).catch(() => null)
    await expectRepeat(what, answer === null ? [] : [answer], request)
  })
}

/** Sends different contents under one key at once: one is admitted, and the others conflict. */
export async function expectOneContent(t: ServerContext, { name, prepare }: RepeatableRequest): Promise<void> {
  const what = `${AT_ONCE} different requests for ${name} under one key`
  await expectEffects(t, what, [await prepare()], async ({ send }) => {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, variant) => send({ variant })))
    const admitted = answers.filter(isAccepted)
    assert.equal(admitted.length, 1, `${what}: ${admitted.length} were admitted`)
    for (const answer of answers.filter((one) => !admitted.includes(one))) expectStatus(answer, 409, 425, 429, 503)
  })
}
