import type { Document, Schema } from '../document/document.ts'
import { resolveIn } from '../document/document.ts'
import { banner, toSource } from './source-text.ts'

/** The event-type tables: all types, those that end a run, and those that callbacks can subscribe to. */
export function generateEvents(document: Document): string {
  const { schemas } = document.components
  const all = schemas.EventType?.enum ?? []
  const terminal = document.paths['/api/v1/runs/{run_id}/events']?.get?.['x-stream']?.terminal ?? []
  const callbacks = Object.values(document.webhooks ?? {}).map(({ post }) =>
    eventTypeOf(post.requestBody?.content['application/json']?.schema, schemas),
  )
  return `${banner('openapi/components/events.yaml')}
import type { EventType } from './gateway.ts'

/** Every event type of this version (D-26). */
export const EVENT_TYPES = ${toSource(all)} as const satisfies readonly EventType[]

/** The types that are the last event of their run. */
export const TERMINAL_RUN_EVENT_TYPES = ${toSource(terminal)} as const satisfies readonly EventType[]

/** The types that callbacks can subscribe to. */
export const CALLBACK_EVENT_TYPES = ${toSource(callbacks)} as const satisfies readonly EventType[]
`
}

function eventTypeOf(schema: Schema | undefined, schemas: Record<string, Schema>): unknown {
  if (!schema?.$ref) throw new Error('a webhook has no named event as its body')
  return resolveIn(schemas, { $ref: schema.$ref }).properties?.type?.const
}
