import { type Contract, type ContractOperation, responsesOf } from '../contract.ts'
import { blocks, kebab, page, prose, table } from '../markdown.ts'
import { fieldList, listFields } from './fields.ts'
import { operationSection } from './operation-section.ts'
import { titleOf } from './title.ts'

/** The overview of a contract and a page for each of its tags, by path. */
export const tagPages = (contract: Contract): Map<string, string> => {
  const tags = (contract.document.tags ?? []).filter(({ name }) => operationsOf(contract, name).length > 0)
  return new Map([
    [`${contract.folder}/index.md`, overviewPage(contract, tags)],
    ...tags.map(({ name, description }): [string, string] => [
      `${contract.folder}/${name}.md`,
      page({ title: titleOf(name), description, outline: '2' }, [
        prose(description),
        ...operationsOf(contract, name).map((each) => operationSection(contract, each)),
      ]),
    ]),
    ...callbackPage(contract),
  ])
}

export const operationsOf = ({ operations }: Contract, tag: string): ContractOperation[] =>
  operations.filter(({ operation }) => operation.tags[0] === tag)

type Tag = { readonly name: string; readonly description: string }

const overviewPage = (contract: Contract, tags: readonly Tag[]): string =>
  page({ title: contract.title, description: 'Every operation, from the contract.', outline: '2' }, [
    blocks(contract.description),
    `The contract itself: ${documentLinks(contract)}. The objects that requests and answers are made of: [Objects](/${contract.folder}/objects/).`,
    ...tags.map(({ name, description }) =>
      [
        `## [${titleOf(name)}](/${contract.folder}/${name}) {#${name}}`,
        prose(description),
        table(
          ['Operation', 'Request'],
          operationsOf(contract, name).map(({ httpMethod, path, operation }) => [
            `[${prose(operation.summary ?? operation.operationId)}](/${contract.folder}/${name}#${kebab(operation.operationId)})`,
            `\`${httpMethod} ${path}\``,
          ]),
        ),
      ].join('\n\n'),
    ),
  ])

/** The site has copies of its own, so that it is whole wherever it is served. */
const documentLinks = ({ folder }: Contract): string => {
  const name = folder === 'reference/http' ? 'openapi' : 'admin-openapi'
  return ['json', 'yaml'].map((type) => `[\`${name}.${type}\`](/${name}.${type})`).join(' or ')
}

/** What the gateway sends: the `webhooks` of the document. */
const callbackPage = (contract: Contract): [string, string][] => {
  const callbacks = Object.values(contract.document.webhooks ?? {}).map(({ post }) => post)
  const [first] = callbacks
  if (first === undefined) return []
  const description = contract.document.tags?.find(({ name }) => name === first.tags[0])?.description ?? ''
  const answers = responsesOf(contract, first).map(([status, response]) => [
    `\`${status}\``,
    prose(response.description),
  ])
  return [
    [
      `${contract.folder}/callbacks.md`,
      page({ title: 'Callbacks', description }, [
        prose(description),
        'The gateway sends each of these as a signed `POST` to your receiver. How to verify and store one: [Receive callbacks](/guides/receive-callbacks).',
        prose(first.description ?? ''),
        '## What your receiver answers {#answers}',
        table(['Status', 'What the gateway does'], answers),
        ...callbacks.map((operation) => {
          const schema = operation.requestBody?.content['application/json']?.schema ?? {}
          return [
            `## ${prose(operation.summary ?? operation.operationId)} {#${kebab(operation.operationId)}}`,
            fieldList(contract, listFields(contract, schema, false)),
          ].join('\n\n')
        }),
      ]),
    ],
  ]
}
