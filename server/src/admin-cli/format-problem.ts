import type { Command } from './contract.ts'
import type { JsonRecord } from './format-answer.ts'
import { isRecord } from './format-answer.ts'
import type { AdminAnswer } from './send-request.ts'
import { printable } from './terminal.ts'

/** The text of a refusal, with the flags of its faults. */
export const formatProblem = ({ status, body }: AdminAnswer, origin: string, command: Command): string => {
  if (!isRecord(body) || typeof body.code !== 'string')
    return `${origin} answered ${status} without saying why. Is it a Conversation Gateway?\n`
  const errors = Array.isArray(body.errors) ? body.errors.filter(isRecord) : []
  const lines = [
    `${textOf(body, 'title')} (${status} ${textOf(body, 'code')})`,
    `  ${textOf(body, 'detail')}`,
    ...errors.map((error) => `  ${nameOf(textOf(error, 'pointer'), command)} ${textOf(error, 'message')}`),
    ...(status === 401
      ? ['  Does the token belong to this gateway? See GATEWAY_ADMIN_TOKEN and GATEWAY_DATA_DIR.']
      : []),
    `  request_id ${textOf(body, 'request_id')}`,
  ]
  return `${lines.join('\n')}\n`
}

const textOf = (record: JsonRecord, name: string): string => printable(String(record[name] ?? ''))

/** A fault's place as the command line writes it: by flag or argument, and for inner places by its pointer too. */
const nameOf = (pointer: string, { arguments: args, query, body }: Command): string => {
  const [first = '', ...inner] = pointer.split('/').slice(pointer.startsWith('/') ? 1 : 0)
  if (pointer === '') return 'the body'
  const field = [...query, ...(body?.members ?? [])].find(({ name }) => name === first)
  if (field !== undefined) return `--${field.flag}${inner.length === 0 ? '' : ` (${pointer})`}`
  return args.some(({ name }) => name === first) ? `<${first}>` : pointer
}
