import { componentName } from '../../../openapi/src/document/document.ts'
import { type Contract, exampleOf, objectAddress, type Schema } from '../contract.ts'
import { json, kebab, page, prose } from '../markdown.ts'
import { constraintsOf } from './constraints.ts'
import { describeField, fieldList, listFields } from './fields.ts'

/** The list of a contract's named schemas, and a page for each. */
export const objectPages = (contract: Contract): Map<string, string> => {
  const schemas = Object.entries(contract.document.components.schemas)
  return new Map([
    [`${contract.folder}/objects/index.md`, listPage(contract, schemas)],
    ...schemas.map(([name, schema]): [string, string] => [
      `${contract.folder}/objects/${kebab(name)}.md`,
      objectPage(contract, name, schema),
    ]),
  ])
}

const OF_API: Readonly<Record<string, string>> = {
  'reference/admin': " of the operator's API",
  'reference/worker': ' of the worker API',
}

const listPage = (contract: Contract, schemas: readonly [string, Schema][]): string =>
  page(
    {
      title: `Objects${OF_API[contract.folder] ?? ''}`,
      description: 'The objects of requests and answers.',
    },
    [
      'Later versions may add members to answers and events, and values to open enumerations: ignore unknown ones. Request bodies are closed: unlisted members are refused.',
      schemas
        .map(
          ([name, schema]) => `- [${name}](${objectAddress(contract, name)}) ${firstSentence(descriptionOf(schema))}`,
        )
        .join('\n'),
    ],
  )

const objectPage = (contract: Contract, name: string, schema: Schema): string =>
  page({ title: name, description: firstSentence(descriptionOf(schema)) || `The object ${name}.` }, [
    ...objectParts(contract, name, schema),
    `One of the [objects](/${contract.folder}/objects/) of this API.`,
  ])

const descriptionOf = ({ description }: Schema): string => String(description ?? '')

const firstSentence = (text: string): string =>
  prose(/^[\s\S]*?[.:](?=\s|$)/.exec(text)?.[0].replaceAll(/\s+/g, ' ') ?? text)

/** The documentation of a schema: its meaning, values, bounds, members and an example. */
const objectParts = (contract: Contract, name: string, schema: Schema): string[] => {
  const example = exampleOf(contract, schema)
  const { values, type } = describeField(contract, name, schema, false)
  const isScalar = schema.properties === undefined && type.object === null
  const constraints = isScalar ? constraintsOf(schema) : []
  return [
    prose(descriptionOf(schema)),
    isScalar && values.length > 0 ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '',
    constraints.length > 0 ? `${constraints.join(' · ')}.` : '',
    choiceLine(contract, schema),
    fieldList(contract, listFields(contract, schema, false)),
    example === undefined || isScalar ? '' : json(example),
  ]
}

const choiceLine = (contract: Contract, { oneOf, anyOf }: Schema): string => {
  const names = (oneOf ?? anyOf ?? []).flatMap(({ $ref }) => ($ref === undefined ? [] : [componentName({ $ref })]))
  return names.length === 0
    ? ''
    : `One of ${names.map((name) => `[${name}](${objectAddress(contract, name)})`).join(', ')}.`
}
