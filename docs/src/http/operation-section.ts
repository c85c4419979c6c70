import {
  bodyOf,
  type Contract,
  type ContractOperation,
  type DocumentedOperation,
  errorCodesOf,
  exampleOf,
  objectAddress,
  parametersOf,
  type Response,
  resolveSchema,
  responsesOf,
  type Schema,
} from '../contract.ts'
import { code, escapeHtml, fence, joined, json, kebab, prose } from '../markdown.ts'
import { describeField, fieldList, listFields } from './fields.ts'
import { factList } from './operation-facts.ts'
import { curlExample, exampleText, typescriptExample } from './request-examples.ts'
import { tryIt } from './try-it.ts'

/** Everything about one operation, under a heading with its ID as anchor. */
export const operationSection = (contract: Contract, given: ContractOperation): string => {
  const { operation, method } = given
  const title = operation.summary ?? operation.operationId
  return joined([
    `## ${prose(title)} {#${kebab(operation.operationId)}}`,
    operation.deprecated === true
      ? '::: warning Deprecated\nDo not use this in new code; see [Deprecated](/deprecated).\n:::'
      : '',
    endpointLine(given),
    prose(operation.description ?? ''),
    beside(
      joined([
        factList(contract, given),
        parameterPart(contract, operation),
        bodyPart(contract, operation),
        answerPart(contract, operation),
        errorPart(contract, operation),
      ]),
      examplePart(contract, given),
    ),
    method === null ? '' : tryIt(contract, given),
  ])
}

/** The examples are beside the text if the window is wide enough for both. */
const beside = (text: string, examples: string): string =>
  `<div class="operation">\n<div>\n\n${text}\n\n</div>\n<div>\n<div class="examples">\n\n${examples}\n\n</div>\n</div>\n</div>`

const endpointLine = ({ httpMethod, path, operation }: ContractOperation): string =>
  `<p class="endpoint"><span class="method ${httpMethod.toLowerCase()}">${httpMethod}</span> ${code(path)} <span class="operation-id">${escapeHtml(operation.operationId)}</span></p>`

const PLACES = { path: 'in the path', query: 'in the query', header: 'header' } as const

const parameterPart = (contract: Contract, operation: DocumentedOperation): string => {
  const fields = parametersOf(contract, operation).map((parameter) => {
    const field = describeField(contract, parameter.name, parameter.schema, parameter.required)
    const example = exampleText(contract, parameter)
    return {
      ...field,
      description: parameter.description ?? field.description,
      isDeprecated: parameter.deprecated === true,
      constraints: [
        PLACES[parameter.in],
        ...field.constraints,
        ...(example === '' ? [] : [`for example \`${example}\``]),
      ],
    }
  })
  return fields.length === 0
    ? ''
    : `### Parameters {#${kebab(operation.operationId)}-parameters}\n\n${fieldList(contract, fields)}`
}

const bodyPart = (contract: Contract, operation: DocumentedOperation): string => {
  const body = bodyOf(operation)
  if (body === null) return ''
  const { name, schema } = resolveSchema(contract, body.schema)
  const fields = listFields(contract, body.schema, true)
  return [
    `### Request body {#${kebab(operation.operationId)}-body}`,
    `${name === null ? 'The raw bytes.' : `[${name}](${objectAddress(contract, name)})`}${closedness(schema)}`,
    fieldList(contract, fields),
  ].join('\n\n')
}

const closedness = (schema: Schema): string =>
  schema.additionalProperties === false
    ? '. No other members: they are refused with [`UNKNOWN_FIELD`](/errors#UNKNOWN_FIELD).'
    : ''

const answersOf = (contract: Contract, operation: DocumentedOperation): [string, Response][] =>
  responsesOf(contract, operation).filter(([status]) => status.startsWith('2'))

const answerPart = (contract: Contract, operation: DocumentedOperation): string =>
  joined([
    `### Answer {#${kebab(operation.operationId)}-answer}`,
    ...answersOf(contract, operation).flatMap(([status, response]) => [
      `**${status}** ${prose(response.description)}`,
      answerBody(contract, response),
    ]),
  ])

const answerBody = (contract: Contract, { content }: Response): string => {
  const [entry] = Object.entries(content ?? {})
  if (entry === undefined) return ''
  const [mediaType, { schema = {} }] = entry
  const { name } = resolveSchema(contract, schema)
  return joined([
    `\`${mediaType}\`${name === null ? '' : `: [${name}](${objectAddress(contract, name)})`}`,
    fieldList(contract, listFields(contract, schema, false)),
  ])
}

const answerExample = (contract: Contract, { content }: Response): string => {
  const [media] = Object.values(content ?? {})
  const example = media === undefined ? undefined : exampleOf(contract, media.schema ?? {})
  if (example === undefined) return ''
  return typeof example === 'string' ? fence('http', example) : json(example)
}

const errorPart = (contract: Contract, operation: DocumentedOperation): string => {
  const codes = errorCodesOf(contract, operation)
  if (codes.length === 0) return ''
  const errors = contract.document.components['x-errors'] ?? {}
  const rows = codes.map((each) => {
    const { status, title } = errors[each] ?? { status: '', title: '' }
    return `<li><a :href="$withBase('/errors#${each}')"><code>${each}</code></a> <span>${status} ${escapeHtml(title)}</span></li>`
  })
  return `### Errors {#${kebab(operation.operationId)}-errors}\n\n<ul class="codes">\n${rows.join('\n')}\n</ul>`
}

const examplePart = (contract: Contract, given: ContractOperation): string => {
  const { operation, method } = given
  const answers = answersOf(contract, operation).map(([status, response]): [string, string] => [
    status,
    answerExample(contract, response),
  ])
  return joined([
    `### Example {#${kebab(operation.operationId)}-example}`,
    '::: code-group',
    ...(method === null ? [] : [fence('ts [TypeScript]', typescriptExample(contract, given, method))]),
    fence('sh [curl]', curlExample(contract, given)),
    ':::',
    ...answers.flatMap(([status, example]) => (example === '' ? [] : [`The answer, **${status}**:`, example])),
  ])
}
