import type {
  AuditRecordList,
  CreatedOperator,
  OperatorList,
  OperatorSelf,
} from '@conversation-gateway/openapi/generated/admin-closed'
import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import { ADMIN_OPERATIONS } from '@conversation-gateway/openapi/generated/operations'
import { expect, it } from 'vitest'
import { OPERATOR_ROLES } from '../../src/domain/operator-roles.ts'
import { createClient } from '../support/client.ts'
import { dumpTables } from '../support/databases/dump-tables.ts'
import { WITHOUT_WORKER } from '../support/played-device.ts'
import { ADMIN_TOKEN, onGateways } from '../support/running-gateway.ts'

const OPERATIONS: readonly OperationInfo[] = Object.values(ADMIN_OPERATIONS)

onGateways(
  'An operator',
  (running) => {
    const create = (body: object) => running.operator.request<CreatedOperator>('POST', '/admin/v1/operators', { body })
    const withToken = (key: string) => createClient({ baseUrl: running.baseUrl, key })
    const statusOf = async (token: string, path = '/operator') =>
      (await withToken(token).request('GET', `/admin/v1${path}`)).status

    it('is created with a token that is shown once, and not stored [ADMIN-20]', async () => {
      const { status, body } = await create({ name: 'Night shift', role: 'operate' })
      const { token, ...record } = body
      expect([status, token]).toEqual([201, expect.stringMatching(/^gop_[0-9a-f]{32}_.{43}$/)])
      expect(record).toMatchObject({ name: 'Night shift', role: 'operate', may_read_text: false, last_used_at: null })
      expect(token.startsWith(`${record.prefix}_`)).toBe(true)
      const self = await withToken(token).request<OperatorSelf>('GET', '/admin/v1/operator')
      expect(self.body).toEqual({
        operator_id: record.operator_id,
        name: 'Night shift',
        role: 'operate',
        may_read_text: false,
      })
      const listed = await running.operator.request<OperatorList>('GET', '/admin/v1/operators')
      expect(listed.body.operators[0]).toEqual({ ...record, last_used_at: running.clock.now().toISOString() })
      const stored = [...(await dumpTables(running.gateway.context.db)).values()].join('\n')
      expect(stored).toContain('Night shift')
      expect(stored).not.toContain(token)
    })

    it('can also come from the settings [ADMIN-02]', async () => {
      expect((await running.operator.request('GET', '/admin/v1/operator')).body).toEqual({
        operator_id: null,
        name: 'GATEWAY_ADMIN_TOKEN',
        role: 'admin',
        may_read_text: true,
      })
    })

    it('has a unique name, which is free again once it is revoked', async () => {
      const { body } = await create({ name: 'Twin', role: 'read' })
      for (const name of ['Twin', 'GATEWAY_ADMIN_TOKEN'])
        expect(await create({ name, role: 'read' })).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } })
      await running.operator.request('POST', `/admin/v1/operators/${body.operator_id}/revoke`)
      expect((await create({ name: 'Twin', role: 'read' })).status).toBe(201)
    })

    it('is refused once it is revoked or its token has expired [ADMIN-20]', async () => {
      const revoked = (await create({ name: 'Leaver', role: 'admin' })).body
      expect(await statusOf(revoked.token)).toBe(200)
      const path = `/admin/v1/operators/${revoked.operator_id}/revoke`
      const first = await running.operator.request<OperatorList>('POST', path)
      expect(await statusOf(revoked.token)).toBe(401)
      await running.passTime(1000)
      expect((await running.operator.request('POST', path)).body).toEqual(first.body)
      expect((await running.operator.request('POST', '/admin/v1/operators/opr_none/revoke')).status).toBe(404)
      const soon = new Date(running.clock.now().getTime() + 60_000).toISOString()
      const guest = (await create({ name: 'Guest', role: 'read', expires_at: soon })).body
      expect(await statusOf(guest.token)).toBe(200)
      await running.passTime(60_000)
      expect(await statusOf(guest.token)).toBe(401)
      expect((await create({ name: 'Late', role: 'read', expires_at: soon })).status).toBe(400)
      for (const token of [`${guest.token}x`, guest.prefix, guest.token.replace('gop_', 'gk_')])
        expect(await statusOf(token)).toBe(401)
    })

    it.each(OPERATOR_ROLES)(
      'of the role %s may call every operation that requires it or a lower role, and no other [ADMIN-21]',
      async (role) => {
        const { token } = (await create({ name: `Walker ${role}`, role })).body
        const before = await dumpTables(running.gateway.context.db)
        const rank = OPERATOR_ROLES.indexOf(role)
        const answers = []
        for (const { operationId, method, path, operatorRole } of OPERATIONS) {
          const url = path.replaceAll(/\{\w+\}/g, 'some_id')
          const allowed = operatorRole !== null && OPERATOR_ROLES.indexOf(operatorRole) <= rank
          // If the operator is allowed, an unknown member prevents the change.
          const body = method === 'GET' || method === 'DELETE' ? {} : { body: { no_such_member: true } }
          const { status } = await withToken(token).request(method, url, body)
          answers.push([operationId, allowed, status !== 403 && status !== 401])
        }
        expect(answers).toEqual(answers.map(([id, allowed]) => [id, allowed, allowed]))
        expect(answers.filter(([, allowed]) => allowed).length).toBeGreaterThan(0)
        if (role === 'read') expect(changedTables(before, await dumpTables(running.gateway.context.db))).toEqual([])
      },
    )

    it('reads texts of messages only with permission, and each read is audited [ADMIN-22]', async () => {
      const plain = (await create({ name: 'Plain', role: 'admin' })).body.token
      const reader = (await create({ name: 'Text reader', role: 'read', may_read_text: true })).body.token
      const path = '/runs/run_none/timeline?include_text=true'
      expect([await statusOf(plain, path), await statusOf(reader, path), await statusOf(ADMIN_TOKEN, path)]).toEqual([
        403, 404, 404,
      ])
      const record = (await running.operator.request<AuditRecordList>('GET', '/admin/v1/audit')).body.audit_records[1]
      expect(record).toMatchObject({
        operator: 'Text reader',
        operation: 'getRunTimeline',
        target: { run_id: 'run_none' },
        input: { include_text: true },
        status: 404,
      })
      expect(await statusOf(plain, '/conversations/conv_none/messages?include_text=true')).toBe(403)
      expect(await statusOf(plain, '/deliveries/dlv_none?include_text=true')).toBe(403)
    })

    it('has an audit record of each change, with target and outcome, and without secrets [ADMIN-23]', async () => {
      const { operator_id, token } = (await create({ name: 'Auditee', role: 'admin' })).body
      const client = withToken(token)
      const headers = { 'x-request-id': 'request-1' }
      await client.request('POST', '/admin/v1/apps', {
        body: { app_id: 'app_audit', owner_id: 'owner', name: 'A secret name' },
        headers,
      })
      await client.request('PATCH', '/admin/v1/apps/app_audit', { body: { state: 'disabled', pending_limit: 5 } })
      const key = await client.request<{ key_id: string; key: string }>('POST', '/admin/v1/apps/app_audit/keys', {
        body: { scopes: ['runs:read'] },
      })
      await client.request('POST', '/admin/v1/devices/dev_none/pause')
      const window = { created_after: '2026-03-02T09:00:00Z', state: 'expired' }
      await client.request('POST', '/admin/v1/delivery-retries', { body: window })
      await client.request('DELETE', '/admin/v1/apps/app_audit/subjects/somebody')
      await client.request('GET', '/admin/v1/apps')
      const { body } = await client.request<AuditRecordList>('GET', '/admin/v1/audit?operator=Auditee')
      expect(body.audit_records.find(({ operation }) => operation === 'retryDeliveries')?.result).toMatchObject({
        retryable: 0,
        retried: 0,
      })
      const rows = body.audit_records.map(({ operation, target, input, status, code }) => [
        operation,
        target,
        input,
        status,
        code,
      ])
      const erasure = expect.stringMatching(/^ers_/)
      expect(rows).toEqual([
        ['eraseSubject', { app_id: 'app_audit', erasure_id: erasure }, {}, 202, null],
        ['retryDeliveries', {}, window, 200, null],
        ['pauseDevice', { device_id: 'dev_none' }, {}, 404, 'NOT_FOUND'],
        ['createKey', { app_id: 'app_audit', key_id: key.body.key_id }, { scopes: ['runs:read'] }, 201, null],
        ['updateApp', { app_id: 'app_audit', owner_id: 'owner' }, { state: 'disabled', pending_limit: 5 }, 200, null],
        [
          'createApp',
          { app_id: 'app_audit', owner_id: 'owner' },
          { app_id: 'app_audit', owner_id: 'owner', name: '***' },
          201,
          null,
        ],
      ])
      expect(body.audit_records.at(-1)).toMatchObject({ operator_id, role: 'admin', request_id: 'request-1' })
      const list = async (filter: string) =>
        (await client.request<AuditRecordList>('GET', `/admin/v1/audit?${filter}`)).body.audit_records
      const first = body.audit_records[0]?.audit_id
      expect(await list(`operator=Auditee&before=${first}&limit=1`)).toEqual([body.audit_records[1]])
      expect((await list('operation=createKey&operator=Auditee')).length).toBe(1)
      expect(await list(`created_before=2000-01-01T00:00:00Z`)).toEqual([])
      expect((await client.request('GET', '/admin/v1/audit?before=aud_none')).status).toBe(404)
      const stored = (await dumpTables(running.gateway.context.db)).get('audit_records') ?? ''
      for (const secret of [key.body.key, token, 'A secret name', 'somebody']) expect(stored).not.toContain(secret)
    })
  },
  WITHOUT_WORKER,
)

/** Changed tables, except those that heartbeats, probes and the use of tokens change. */
const changedTables = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...after.keys()].filter((table) => !ALWAYS_CHANGING.has(table) && before.get(table) !== after.get(table))

const ALWAYS_CHANGING: ReadonlySet<string> = new Set(['processes', 'operators', 'write_proof'])
