import { beforeAll, expect, test } from 'vitest'
import type { NamedId, RecordIds } from '../support/api-routes.ts'
import {
  ask,
  BELONGS_TO,
  finishedRecords,
  NAMED_IDS,
  NOBODY,
  ROOM_FOR_STREAMS,
  requestTo,
} from '../support/api-routes.ts'
import { KEYS } from '../support/bootstrap-file.ts'
import type { Client } from '../support/client.ts'
import { countRows } from '../support/databases/row-counts.ts'
import { playDevice, WITHOUT_WORKER } from '../support/played-device.ts'
import { onGateways } from '../support/running-gateway.ts'

interface Caller {
  readonly client: Client
  /** Records of the caller's own, for what else a request names. */
  readonly records: RecordIds
}

onGateways(
  'records of others',
  (running) => {
    let owner: Caller
    let otherSubject: Caller
    let otherApp: Caller
    beforeAll(async () => {
      await playDevice(running).beat()
      const callerOf = async (client: Client, endpointId: string): Promise<Caller> => ({
        client,
        records: await finishedRecords(client, endpointId),
      })
      ;[owner, otherSubject, otherApp] = await Promise.all([
        callerOf(running.client(), 'ep_echo'),
        callerOf(running.client({ subject: 'subject-2' }), 'ep_echo'),
        callerOf(running.client({ key: KEYS.otherApp }), 'ep_other'),
      ])
    })

    const readOwned = async () => ({
      rows: await countRows(running.gateway.context.db),
      records: await Promise.all([
        owner.client.snapshot(owner.records.conversation_id),
        owner.client.run(owner.records.run_id),
        owner.client.operation(owner.records.operation_id),
      ]).then((answers) => answers.map(({ body }) => body)),
    })

    const naming = ({ client, records }: Caller, named: NamedId, id: string) =>
      ask(client, named.route, requestTo(named.route, records, { ...named, id }))

    const refusalOf = async (caller: Caller, named: NamedId, id: string) => {
      const { status, headers, body } = await naming(caller, named, id)
      const { request_id: _, ...problem } = body
      return { status, problem, headers: [...headers.keys()].sort() }
    }

    test('every kind of record is named by some route', () => {
      expect(new Set(NAMED_IDS.map(({ record }) => record))).toEqual(new Set(Object.keys(BELONGS_TO)))
    })

    test.each(NAMED_IDS.map((named) => ({ id: named.route.id, ...named })))(
      '$id answers 404 to others, as if the ID in its $place ($parameter) did not exist, without effect [GEN-14, GEN-15, GEN-16, GEN-17, SUBJ-03, ERR-04, ERR-24]',
      async (named) => {
        const { record, route } = named
        const before = await readOwned()
        for (const stranger of BELONGS_TO[record] === 'subject' ? [otherSubject, otherApp] : [otherApp]) {
          const foreign = await refusalOf(stranger, named, owner.records[record])
          expect(foreign).toMatchObject({ status: 404, problem: { status: 404, code: 'NOT_FOUND' } })
          expect(foreign).toEqual(await refusalOf(stranger, named, NOBODY[record]))
          expect(JSON.stringify(foreign)).not.toContain(owner.records[record])
        }
        expect(await readOwned()).toEqual(before)

        // It is not the request that is wrong: the owner's is answered. What it may change belongs to this test alone.
        const records = await finishedRecords(owner.client)
        const answer = await naming({ ...owner, records }, named, records[record])
        expect(answer.status).toBe(route.info.successStatus)
      },
    )

    test('a conversation_key leads each subject and each application to a conversation of its own [CONV-08, GEN-14]', async () => {
      const run = ({ client, records }: Caller) =>
        client.post<{ conversation_id: string }>(`/api/v1/agent-endpoints/${records.endpoint_id}/runs`, {
          conversation_key: 'order-1',
          input: { text: 'mine' },
        })
      const callers = [owner, otherSubject, otherApp]
      const runs = await Promise.all(callers.map(run))
      expect(runs.map(({ status }) => status)).toEqual([202, 202, 202])
      expect(new Set(runs.map(({ body }) => body.conversation_id)).size).toBe(3)
      for (const { client, records } of callers) {
        const again = await client.createConversation({ endpoint_id: records.endpoint_id, conversation_key: 'order-1' })
        expect(again).toMatchObject({ status: 409, body: { code: 'BUSY' } })
        const created = await client.createConversation({
          endpoint_id: records.endpoint_id,
          conversation_key: 'order-2',
        })
        expect(created.status).toBe(201)
      }
    })
  },
  { ...WITHOUT_WORKER, ...ROOM_FOR_STREAMS },
)
