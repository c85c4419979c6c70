import assert from 'node:assert/strict'
import { expectStatus } from '../../../targets/server/expectations.ts'
import type { ServerCheck } from '../../../targets/server/system.ts'

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Whether a schema takes any string besides the values that it names. */
const isOpen = ({ anyOf }: Node): boolean =>
  Array.isArray(anyOf) && anyOf.some((one) => isNode(one) && one.type === 'string' && one.enum === undefined)

export const checks: readonly ServerCheck[] = [
  {
    id: 'general/enumerations-are-open',
    title: 'the published contract takes later values of the states, roles and event types in answers',
    rules: ['GEN-28'],
    run: async (t) => {
      const { body } = expectStatus(await t.send({ method: 'GET', path: '/openapi.json' }), 200)
      const document: Node = Object(body)
      const locate = (reference: string): unknown =>
        reference
          .slice(2)
          .split('/')
          .reduce<unknown>((at, name) => (isNode(at) ? at[name] : undefined), document)
      const closed: string[] = []
      const open: string[] = []
      const seen = new Set<unknown>()
      const visit = (value: unknown, at: string): void => {
        if (!isNode(value) || seen.has(value)) return
        seen.add(value)
        if (typeof value.$ref === 'string') visit(locate(value.$ref), value.$ref)
        if (isOpen(value)) open.push(at)
        else if (Array.isArray(value.enum) && value.enum.length > 1) closed.push(at)
        else for (const [name, member] of Object.entries(value)) visit(member, `${at}/${name}`)
      }
      for (const [path, item] of Object.entries(Object(document.paths)))
        for (const [method, operation] of Object.entries(Object(item)))
          for (const [status, response] of Object.entries(Object(Object(operation).responses)))
            if (status.startsWith('2')) visit(response, `${method} ${path} ${status}`)
      assert.deepEqual(closed, [], 'enumerations in answers that take no later value')
      assert.ok(
        open.length >= 4,
        'states of conversations, runs, deliveries and operations are enumerations in answers',
      )
    },
  },
]
