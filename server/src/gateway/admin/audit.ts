import { firstIdOf, newId } from '@conversation-gateway/openapi/behaviour/ids'
import type { Found, Refusal } from '@conversation-gateway/openapi/behaviour/refusal'
import { found } from '@conversation-gateway/openapi/behaviour/refusal'
import type { AuditRecord, AuditRecordList } from '@conversation-gateway/openapi/generated/admin-closed'
import type { StoredAuditRecord } from '../../store/admin/audit.ts'
import * as store from '../../store/admin/audit.ts'
import type { OperatorIdentity } from '../access/operator-gate.ts'
import type { GatewayContext } from '../context.ts'
import type { PageQuery } from './outcomes.ts'
import { pageSize, unknown } from './outcomes.ts'
import type { TimeWindow } from './time-window.ts'
import { earliest, readTimeWindow } from './time-window.ts'

/** An operator's request for a change, or for the contents of messages. */
export interface AskedChange {
  readonly operator: OperatorIdentity
  readonly operation: string
  readonly requestId: string
  /** The IDs of the path, by name. */
  readonly target: Readonly<Record<string, string>>
  /** The body as it was sent. */
  readonly body: unknown
}

/** The answer to a change. Only the IDs and numbers of its `body` are recorded. */
export interface ChangeOutcome {
  readonly status: number
  readonly code: string | null
  readonly body: unknown
}

/** Records a change before it is made, and returns a function that records its outcome. */
export type Audit = (change: AskedChange) => Promise<(outcome: ChangeOutcome) => Promise<void>>

/** If the record cannot be written, `audit` rejects, so that the change is not made. */
export const createAudit =
  ({ db, clock }: Pick<GatewayContext, 'db' | 'clock'>): Audit =>
  async ({ operator, operation, requestId, target, body }) => {
    const at = clock.now()
    const auditId = newId('aud', at)
    await store.insertAuditRecord(db, {
      auditId,
      at,
      operatorId: operator.operatorId,
      operator: operator.name,
      role: operator.role,
      operation,
      target,
      input: shownInput(body),
      requestId,
    })
    return ({ status, code, body: answer }) =>
      store.settleAuditRecord(db, {
        auditId,
        target: { ...idsOf(answer), ...target },
        status,
        code,
        result: numbersOf(answer),
      })
  }

/** Members whose strings, or lists of strings, are enumeration values or timestamps. */
const WORDS: ReadonlySet<string> = new Set([
  'state',
  'decision',
  'role',
  'compatibility',
  'scopes',
  'events',
  'created_after',
  'created_before',
])
const HIDDEN = '***'

/** The part of a body that may be recorded: neither secrets nor people's texts. */
const shownInput = (body: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    membersOf(body).map(([name, value]) => {
      const isPlain = value === null || typeof value === 'boolean' || typeof value === 'number'
      const isWord = WORDS.has(name) && (isText(value) || (Array.isArray(value) && value.every(isText)))
      return [name, isPlain || isWord || (isText(value) && isIdName(name)) ? value : HIDDEN]
    }),
  )

const idsOf = (answer: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    membersOf(answer).flatMap(([name, value]) => (isIdName(name) && typeof value === 'string' ? [[name, value]] : [])),
  )

const numbersOf = (answer: unknown): Readonly<Record<string, number>> =>
  Object.fromEntries(membersOf(answer).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : [])))

const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []

const isText = (value: unknown): value is string => typeof value === 'string'

const isIdName = (name: string): boolean => name.endsWith('_id')

const auditRecord = (record: StoredAuditRecord): AuditRecord => ({
  audit_id: record.auditId,
  at: record.at.toISOString(),
  operator_id: record.operatorId,
  operator: record.operator,
  role: record.role,
  operation: record.operation,
  target: record.target,
  input: record.input,
  request_id: record.requestId,
  status: record.status,
  code: record.code,
  result: record.result,
})

/** What operators changed or read, newest first; an empty page ends the list. */
export const listAuditRecords = async (
  { db, clock }: GatewayContext,
  query: PageQuery & TimeWindow & { readonly operator?: string; readonly operation?: string },
): Promise<Found<AuditRecordList> | Refusal> => {
  const { operator = null, operation = null, before = null } = query
  const window = readTimeWindow(query, clock.now())
  if ('kind' in window) return window
  if (before !== null && !(await store.hasAuditRecord(db, before))) return unknown('audit record', before)
  const fromId = window.from === null ? null : firstIdOf('aud', window.from)
  const beforeId = earliest(before, window.before === null ? null : firstIdOf('aud', window.before))
  const records = await store.listAuditRecords(db, { operator, operation, fromId, beforeId }, pageSize(query))
  return found({ audit_records: records.map(auditRecord) })
}
