import assert from 'node:assert/strict'
import type { ServerCheck } from '../../../kit/server/context.ts'

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Whether a schema allows strings besides its listed values, or is marked as open. */
const isOpen = (schema: Node): boolean =>
  OPEN_MARKS.some((mark) => schema[mark] !== undefined && schema[mark] !== false) ||
  (Array.isArray(schema.anyOf) &&
    schema.anyOf.some((one) => isNode(one) && one.type === 'string' && one.enum === undefined))

/** How contracts mark an enumeration as open where the schema alone cannot. */
const OPEN_MARKS = ['x-open-enum', 'x-extensible-enum', 'x-ms-enum']

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/enumerations-are-open',
    title: 'the published contract allows future values of states, roles and event types in answers',
    rules: ['GEN-28'],
    run: async (t) => {
      const { status, body } = await t.send({ method: 'GET', path: '/openapi.json' })
      const document: Node = Object(body)
      if (status !== 200 || typeof document.openapi !== 'string')
        t.untestable('the gateway publishes no contract at /openapi.json')
      const locate = (reference: string): unknown =>
        reference
          .slice(2)
          .split('/')
          .reduce<unknown>((at, name) => (isNode(at) ? at[name] : undefined), document)
      const closed: string[] = []
      const seen = new Set<unknown>()
      const visit = (value: unknown, at: string): void => {
        if (!isNode(value) || seen.has(value)) return
        seen.add(value)
        if (typeof value.$ref === 'string') visit(locate(value.$ref), value.$ref)
        if (isOpen(value)) return
        if (Array.isArray(value.enum) && value.enum.length > 1) closed.push(at)
        else for (const [name, member] of Object.entries(value)) visit(member, `${at}/${name}`)
      }
      for (const [path, item] of Object.entries(Object(document.paths)))
        for (const [method, operation] of Object.entries(Object(item)))
          for (const [status, response] of Object.entries(Object(Object(operation).responses)))
            if (status.startsWith('2')) visit(response, `${method} ${path} ${status}`)
      assert.deepEqual(closed, [], `these enumerations in answers do not allow future values: ${closed.join(', ')}`)
    },
  },
]
