import {
  bodyOf,
  CONTRACTS,
  type Contract,
  type Operation,
  objectAddress,
  operationAddress,
  parametersOf,
} from '../contract.ts'
import { page, prose, table } from '../markdown.ts'
import { constraintsOf, formatBytes } from './constraints.ts'
import { listFields } from './fields.ts'

const SECONDS_PER_DAY = 86_400

/** The limits that the contracts declare. */
export const limitsPage = (): string =>
  page({ title: 'Limits', description: 'Sizes, lengths, counts and times, as the contract states them.' }, [
    'A value outside its bounds is answered with [`INVALID_REQUEST`](/errors#INVALID_REQUEST), which names its location. A body that is too large is answered with [`PAYLOAD_TOO_LARGE`](/errors#PAYLOAD_TOO_LARGE). Bounds that an operator can change are [settings](/reference/settings).',
    ...CONTRACTS.map(contractPart),
  ])

const contractPart = (contract: Contract): string =>
  [
    `## ${prose(contract.title)} {#${contract.folder.split('/').at(-1)}}`,
    `### Bodies {#${anchor(contract, 'bodies')}}`,
    table(['Operation', 'At most'], bodyRows(contract)),
    `### Members and parameters {#${anchor(contract, 'members')}}`,
    table(['Where', 'What', 'Bound'], valueRows(contract)),
    ...listedPart(contract),
    ...timePart(contract),
  ].join('\n\n')

const anchor = ({ folder }: Contract, name: string): string => `${folder.split('/').at(-1)}-${name}`

const link = (contract: Contract, operation: Operation): string =>
  `[${operation.operationId}](${operationAddress(contract, operation)})`

const bodyRows = (contract: Contract): string[][] =>
  contract.operations.flatMap(({ operation }) => {
    const body = bodyOf(operation)
    return body === null ? [] : [[link(contract, operation), formatBytes(body.maxBytes)]]
  })

/** Rows of bounds; a parameter or object that several operations share is listed once. */
const valueRows = (contract: Contract): string[][] => {
  const rows = new Map<string, string[]>()
  const add = (where: string, what: string, constraints: readonly string[]): void => {
    if (constraints.length > 0)
      rows.set(`${where} ${what}`, [where, `\`${what}\``, escapeCell(constraints.join(' · '))])
  }
  for (const { operation } of contract.operations)
    for (const parameter of parametersOf(contract, operation))
      add('parameter', parameter.name, boundsOf(constraintsOf(parameter.schema)))
  for (const [name, schema] of Object.entries(contract.document.components.schemas))
    for (const { path, constraints } of listFields(contract, schema, false))
      add(`[${name}](${objectAddress(contract, name)})`, path, boundsOf(constraints))
  return [...rows.values()]
}

/** Leaves out formats, patterns, defaults and lower bounds of 0 and 1, which are not limits in practice. */
const boundsOf = (constraints: readonly string[]): string[] =>
  constraints.filter((each) => !/^(format|matches|default|at least [01]$|at least 1 )/.test(each))

const escapeCell = (text: string): string => text.replaceAll('|', '\\|')

/** The limits that the document lists because no schema or operation states them. */
const listedPart = (contract: Contract): string[] => {
  const rows = Object.entries(contract.document.components['x-limits'] ?? {}).map(([name, { value, description }]) => [
    prose(description),
    formatLimit(name, value),
  ])
  return rows.length === 0
    ? []
    : [`### Counts and times {#${anchor(contract, 'counts')}}`, table(['What', 'Limit'], rows)]
}

const formatLimit = (name: string, value: number): string => {
  if (name.endsWith('_bytes')) return formatBytes(value)
  if (!name.endsWith('_seconds')) return String(value)
  if (value > SECONDS_PER_DAY) return `${value / SECONDS_PER_DAY} days`
  return value < 3600 ? `${value / 60} minutes` : `${value / 3600} hours`
}

const timePart = (contract: Contract): string[] => {
  const rows = contract.operations.flatMap(({ operation }) => {
    const name = link(contract, operation)
    const { 'x-idempotent': idempotent, 'x-stream': stream } = operation
    return [
      ...(idempotent === undefined
        ? []
        : [[name, 'the key is remembered', `${idempotent.retention_seconds / SECONDS_PER_DAY} days`]]),
      ...(stream === undefined ? [] : [[name, 'a ping at least every', `${stream.ping_seconds} s`]]),
    ]
  })
  return rows.length === 0
    ? []
    : [`### Times {#${anchor(contract, 'times')}}`, table(['Operation', 'What', 'How long'], rows)]
}
