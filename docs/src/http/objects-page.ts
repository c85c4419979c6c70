import { type Contract, exampleOf, resolveSchema, type Schema } from '../contract.ts'
import { json, kebab, page, prose } from '../markdown.ts'
import { constraintsOf } from './constraints.ts'
import { describeField, fieldList, listFields } from './fields.ts'

/** Every named schema of a contract, each with an anchor of its own. */
export const objectsPage = (contract: Contract): string =>
  page(
    {
      title: `Objects${contract.folder.endsWith('admin') ? " of the operator's API" : ''}`,
      description: 'What requests and answers are made of.',
      outline: '2',
    },
    [
      'Answers and events may gain members, and open enumerations values: ignore what you do not know. Request bodies are closed.',
      ...Object.keys(contract.document.components.schemas).map((name) => objectSection(contract, name)),
    ],
  )

const objectSection = (contract: Contract, name: string): string =>
  [`## ${name} {#${kebab(name)}}`, ...objectParts(contract, name)].join('\n\n')

/** What a schema says: its meaning, values, bounds, members and an example. */
const objectParts = (contract: Contract, name: string): string[] => {
  const { schema } = resolveSchema(contract, { $ref: `#/components/schemas/${name}` })
  const example = exampleOf(contract, schema)
  const { values, type } = describeField(contract, name, schema, false)
  const isScalar = schema.properties === undefined && type.object === null
  const constraints = isScalar ? constraintsOf(schema) : []
  return [
    prose(String(schema.description ?? '')),
    isScalar && values.length > 0 ? `One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '',
    constraints.length > 0 ? `${constraints.join(' · ')}.` : '',
    choiceLine(contract, schema),
    fieldList(contract, listFields(contract, schema, false)),
    example === undefined || isScalar ? '' : json(example),
  ].filter((part) => part !== '')
}

const choiceLine = ({ folder }: Contract, { oneOf, anyOf }: Schema): string => {
  const names = (oneOf ?? anyOf ?? []).flatMap(({ $ref }) =>
    $ref === undefined ? [] : [$ref.slice($ref.lastIndexOf('/') + 1)],
  )
  return names.length === 0
    ? ''
    : `One of ${names.map((name) => `[${name}](/${folder}/objects#${kebab(name)})`).join(', ')}.`
}
