import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import type { Pagination } from './contract.ts'
import type { JsonRecord } from './format-answer.ts'
import { isRecord } from './format-answer.ts'
import type { AdminRequest } from './read-request.ts'
import type { AdminAnswer } from './send-request.ts'

/** The records of a page; none if the answer has another form. */
export const itemsOf = (body: unknown, { items }: Pagination): readonly JsonRecord[] => {
  const list = isRecord(body) ? body[items] : []
  return Array.isArray(list) ? list.filter(isRecord) : []
}

/** Reads all pages and returns them as one answer; returns the first refusal unchanged. */
export const listAll = async (
  send: (request: AdminRequest) => Promise<AdminAnswer>,
  request: AdminRequest,
  pagination: Pagination,
): Promise<AdminAnswer> => {
  const { limit, cursor } = pagination
  const records: JsonRecord[] = []
  let query = { [limit]: String(LIMITS.pageRecords), ...request.query }
  for (;;) {
    const answer = await send({ ...request, query })
    if (answer.status !== 200) return answer
    const page = itemsOf(answer.body, pagination)
    const last = page.at(-1)
    if (last === undefined) {
      const body = { [pagination.items]: records }
      return { status: answer.status, text: JSON.stringify(body), body }
    }
    records.push(...page)
    query = { ...query, [cursor.query]: String(last[cursor.field]) }
  }
}
