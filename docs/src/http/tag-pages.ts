import { type Contract, type ContractOperation, operationAddress, responsesOf } from '../contract.ts'
import { blocks, kebab, page, prose, table } from '../markdown.ts'
import { fieldList, listFields } from './fields.ts'
import { operationSection } from './operation-section.ts'
import { titleOf } from './title.ts'

/** By path: the overview of a contract, a page for each of its tags, and one for the requests that the gateway sends. */
export const tagPages = (contract: Contract): Map<string, string> => {
  const tags = (contract.document.tags ?? []).filter(({ name }) => operationsOf(contract, name).length > 0)
  return new Map([
    [`${contract.folder}/index.md`, overviewPage(contract, tags)],
    ...tags.map(({ name, description }): [string, string] => [
      `${contract.folder}/${name}.md`,
      page({ title: titleOf(name), description, outline: '2', pageClass: 'operations' }, [
        prose(description),
        ...operationsOf(contract, name).map((each) => operationSection(contract, each)),
      ]),
    ]),
    ...webhookPage(contract),
  ])
}

const operationsOf = ({ operations }: Contract, tag: string): ContractOperation[] =>
  operations.filter(({ operation }) => operation.tags[0] === tag)

type Tag = { readonly name: string; readonly description: string }

const overviewPage = (contract: Contract, tags: readonly Tag[]): string =>
  page({ title: contract.title, description: 'Every operation, from the contract.', outline: '2' }, [
    blocks(contract.description),
    `The contract itself: ${documentLinks(contract)}. The objects of requests and answers: [Objects](/${contract.folder}/objects/).`,
    ...tags.map(({ name, description }) =>
      [
        `## [${titleOf(name)}](/${contract.folder}/${name}) {#${name}}`,
        prose(description),
        table(
          ['Operation', 'Request'],
          operationsOf(contract, name).map(({ httpMethod, path, operation }) => [
            `[${prose(operation.summary ?? operation.operationId)}](${operationAddress(contract, operation)})`,
            `\`${httpMethod} ${path}\``,
          ]),
        ),
      ].join('\n\n'),
    ),
  ])

/** The site contains copies of the contracts, so that it does not depend on other files. */
const documentLinks = ({ folder }: Contract): string => {
  const name = folder === 'reference/http' ? 'openapi' : `${folder.split('/').at(-1)}-openapi`
  return ['json', 'yaml'].map((type) => `[\`${name}.${type}\`](/${name}.${type})`).join(' or ')
}

const WEBHOOK_TEXTS: Readonly<Record<string, { readonly intro: string; readonly answers: string }>> = {
  callbacks: {
    intro:
      'The gateway sends each of these as a signed `POST` to your receiver. How to verify and store one: [Receive callbacks](/guides/receive-callbacks).',
    answers: 'What your receiver answers',
  },
  assistants: {
    intro: 'The gateway sends this as a signed `POST` to the URL of an `http` assistant.',
    answers: 'What your assistant answers',
  },
}

/** The requests that the gateway sends: the `webhooks` of the document. */
const webhookPage = (contract: Contract): [string, string][] => {
  const webhooks = Object.values(contract.document.webhooks ?? {}).map(({ post }) => post)
  const [first] = webhooks
  const [name = ''] = first?.tags ?? []
  const text = WEBHOOK_TEXTS[name]
  if (first === undefined || text === undefined) return []
  const description = contract.document.tags?.find((tag) => tag.name === name)?.description ?? ''
  const answers = responsesOf(contract, first).map(([status, response]) => [
    `\`${status}\``,
    prose(response.description),
  ])
  return [
    [
      `${contract.folder}/${name}.md`,
      page({ title: titleOf(name), description }, [
        prose(description),
        text.intro,
        prose(first.description ?? ''),
        `## ${text.answers} {#answers}`,
        table(['Status', 'What the gateway does'], answers),
        ...webhooks.map((operation) => {
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
