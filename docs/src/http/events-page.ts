import { GATEWAY, resolveSchema, type Schema, schemaNamed } from '../contract.ts'
import { fence, joined, json, kebab, page, prose, table } from '../markdown.ts'
import { fieldList, listFields } from './fields.ts'

/** Every event type of the contract: what it means, its payload, whether it ends a run and is sent as a callback. */
export const eventsPage = (): string => {
  const events = knownEvents()
  return page({ title: 'Events', description: 'Every event type, its payload, and how events travel.', outline: '2' }, [
    prose(descriptionOf(schemaOf('EventEnvelope'))),
    prose(descriptionOf(schemaOf('EventStream'))),
    fence('http', String(schemaOf('EventStream').examples?.[0] ?? '')),
    '## All types {#types}',
    table(
      ['Type', 'When', 'Ends the run', 'As callback'],
      events.map(({ type, schema }) => [
        `[\`${type}\`](#${anchorOf(type)})`,
        prose(descriptionOf(schema)),
        TERMINAL.has(type) ? 'yes' : '',
        CALLBACKS.has(type) ? 'yes' : '',
      ]),
    ),
    '## Envelope {#envelope}',
    'Every event has these members; `payload` depends on the type.',
    fieldList(GATEWAY, envelopeFields(events[0]?.schema ?? {})),
    ...events.map(({ type, schema }) =>
      joined([
        `## \`${type}\` {#${anchorOf(type)}}`,
        prose(descriptionOf(schema)),
        fieldList(GATEWAY, payloadFields(schema)),
        schema.examples?.[0] === undefined ? '' : json(schema.examples[0]),
      ]),
    ),
  ])
}

const schemaOf = (name: string): Schema => schemaNamed(GATEWAY, name)

const descriptionOf = ({ description }: Schema): string => (typeof description === 'string' ? description : '')

const knownEvents = (): { type: string; schema: Schema }[] =>
  Object.entries(schemaOf('KnownEvent').discriminator?.mapping ?? {}).map(([type, $ref]) => ({
    type,
    schema: resolveSchema(GATEWAY, { $ref }).schema,
  }))

const envelopeFields = (schema: Schema) =>
  listFields(GATEWAY, schema, false).filter(({ path }) => !path.startsWith('payload.'))

const payloadFields = (schema: Schema) =>
  listFields(GATEWAY, schema, true).filter(({ path }) => path.startsWith('payload.'))

const anchorOf = (type: string): string => kebab(type.replaceAll('.', '-'))

/** Types after which no event of a run's stream follows. */
const TERMINAL = new Set(GATEWAY.operations.flatMap(({ operation }) => operation['x-stream']?.terminal ?? []))

const CALLBACKS = new Set(
  Object.values(GATEWAY.document.webhooks ?? {}).flatMap(({ post }) => {
    const { schema } = resolveSchema(GATEWAY, post.requestBody?.content['application/json']?.schema ?? {})
    const type = schema.properties?.type?.const
    return typeof type === 'string' ? [type] : []
  }),
)
