import type { Caller } from '../server/caller.ts'
import type { ServerContext } from '../server/context.ts'
import { expectStatus } from '../server/expectations.ts'
import { upload } from './attachments.ts'

/** One record of each kind that a request can name. */
export interface RecordIds {
  readonly conversation: string
  readonly run: string
  readonly operation: string
  readonly endpoint: string
  /** Empty in the profile `core`: the specification does not define the routes of attachments. */
  readonly resource: string
}

/** Records of the caller whose run has ended, so that they no longer change. */
export async function finishedRecords(
  t: ServerContext,
  caller: Caller = t.me,
  endpoint: string = t.config.services.main,
): Promise<RecordIds> {
  const conversation = await t.conversation({ endpoint_id: endpoint }, caller)
  const { run_id: run } = await t.admit(conversation, t.script({ succeed: { text: 'finished' } }), caller)
  await t.runEnded(run, caller)
  const cancelled = expectStatus(await caller.cancel(run), 202).body
  return {
    conversation: conversation.conversation_id,
    run,
    operation: cancelled.operation_id,
    endpoint,
    resource: t.profile === 'reference' ? (await upload(t, {}, caller)).resource_id : '',
  }
}

/** Returns an ID of the same form that no record has. */
export function unknownId(id: string, filler: '0' | '1' = '0'): string {
  const from = Math.max(id.indexOf('_') + 1, id.length - 12)
  return id.slice(0, from) + [...id.slice(from)].map((char) => (char === filler ? 'f' : filler)).join('')
}

/** IDs of records that do not exist. */
export const unknownRecords = (ids: RecordIds, filler: '0' | '1' = '0'): RecordIds => ({
  conversation: unknownId(ids.conversation, filler),
  run: unknownId(ids.run, filler),
  operation: unknownId(ids.operation, filler),
  endpoint: unknownId(ids.endpoint, filler),
  resource: unknownId(ids.resource, filler),
})

/** Everything that the owner can read of the records, to verify that a request did not change them. */
export async function readAll(t: ServerContext, ids: RecordIds, caller: Caller = t.me): Promise<unknown> {
  const paths = [
    `/conversations/${ids.conversation}`,
    `/conversations/${ids.conversation}/messages`,
    `/runs/${ids.run}`,
    `/operations/${ids.operation}`,
    `/conversations?endpoint_id=${ids.endpoint}`,
    ...(ids.resource === '' ? [] : [`/resources/${ids.resource}`]),
  ]
  return Promise.all(paths.map(async (path) => expectStatus(await caller.get(path), 200).body))
}
