import { bodyOf, type Contract, type ContractOperation, type DocumentedOperation } from '../contract.ts'
import { formatBytes } from './constraints.ts'
import { titleOf } from './title.ts'

const SECONDS_PER_DAY = 86_400

/** The behaviour that the contract declares for the operation. */
export const factList = (contract: Contract, { operation, method }: ContractOperation): string => {
  const facts = [
    ['Access', accessOf(operation)],
    ['SDK', sdkFact(contract, method)],
    ['Idempotency', idempotencyFact(operation)],
    ['Pages', pagingFact(operation)],
    ['Stream', streamFact(operation)],
    ['Completes later', longRunningFact(operation)],
    ['Body', bodyFact(operation)],
  ].filter(([, text]) => text !== null)
  return `<dl class="facts">\n${facts.map(([name, text]) => `<div><dt>${name}</dt><dd>\n\n${text}\n\n</dd></div>`).join('\n')}\n</dl>`
}

const sdkFact = ({ folder }: Contract, method: ContractOperation['method']): string | null => {
  if (method === null) return null
  const { tag, name } = method
  const client = folder.endsWith('admin') ? 'admin/client-methods' : 'client-methods'
  return `[\`client.${tag}.${name}\`](/reference/sdk/${client}/classes/${titleOf(tag)}#${name.toLowerCase()})`
}

const accessOf = ({ security }: DocumentedOperation): string =>
  security
    .flatMap((alternative) => Object.entries(alternative))
    .map(([scheme, scopes]) => {
      if (scheme === 'webhookSignature') return 'A signature over the raw body; no key.'
      if (scheme === 'adminToken') return "An operator's token as bearer, such as `GATEWAY_ADMIN_TOKEN`."
      if (scheme === 'deviceKey') return 'A device key as bearer.'
      if (scheme === 'runToken') return 'The token of the run as bearer.'
      return `An application key as bearer, with the scope ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`
    })
    .join(' ')

const idempotencyFact = ({ 'x-idempotent': idempotent }: DocumentedOperation): string | null =>
  idempotent === undefined
    ? null
    : `Safe to repeat under its \`${idempotent.header}\`: for ${idempotent.retention_seconds / SECONDS_PER_DAY} days the same request returns the first answer, with \`Idempotency-Replayed: true\`.`

const pagingFact = ({ 'x-pagination': paging }: DocumentedOperation): string | null =>
  paging === undefined
    ? null
    : `Up to \`${paging.limit}\` \`${paging.items}\` a page. Continue with \`${paging.cursor.query}\` set to the \`${paging.cursor.field}\` of the ${paging.cursor.from} record; an empty page is the end.`

const streamFact = ({ 'x-stream': stream }: DocumentedOperation): string | null =>
  stream === undefined
    ? null
    : `Server-sent [events](/reference/http/events) with a \`: ping\` every ${stream.ping_seconds} s. Resume with \`${stream.resume.header}\` or \`${stream.resume.query}\`; a position that is no longer retained is answered with [\`${stream.expired}\`](/errors#${stream.expired}). Clients reconnect after ${stream.retry_ms} ms.`

const longRunningFact = ({ 'x-long-running': work }: DocumentedOperation): string | null =>
  work === undefined
    ? null
    : `Read \`${work.poll}\` with the answer's \`${work.id}\` until the state is ${work.done.map((state) => `\`${state}\``).join(', ')}.`

const bodyFact = (operation: DocumentedOperation): string | null => {
  const body = bodyOf(operation)
  return body === null ? null : `\`${body.mediaType}\`, at most ${formatBytes(body.maxBytes)}.`
}
