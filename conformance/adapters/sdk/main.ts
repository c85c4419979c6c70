/** Offers the SDK through the adapter protocol, see PROTOCOL.md of the client target: `node adapters/sdk/main.ts`. */
import { createInterface } from 'node:readline'
import type { OpenArguments } from '../../src/kit/client/commands.ts'
import { COMMANDS } from './commands.ts'
import { describeError } from './describe-error.ts'
import { type Opened, openClient } from './open-client.ts'

interface Line {
  readonly id: number
  readonly do: string
  readonly with: unknown
}

const write = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`)

const underWay = new Map<number, AbortController>()
let opened: Opened | null = null

const perform = async ({ id, do: name, with: args }: Line, signal: AbortSignal): Promise<object> => {
  if (name === 'open') {
    opened = openClient(args as OpenArguments)
    return {}
  }
  const command = COMMANDS[name]
  if (command === undefined) throw new TypeError(`There is no command ${name}.`)
  if (opened === null) throw new TypeError('No client is open.')
  return command(opened, args, { signal, item: (item) => write({ id, item }) })
}

const answer = async (line: Line): Promise<void> => {
  const { id } = line
  const controller = new AbortController()
  underWay.set(id, controller)
  try {
    write({ id, result: await perform(line, controller.signal) })
  } catch (error) {
    write({ id, error: describeError(error, controller.signal) })
  } finally {
    underWay.delete(id)
  }
}

const abilities = [...Object.keys(COMMANDS), 'outbox', 'activities']
write({ hello: { protocol: 1, name: '@conversation-gateway/sdk', abilities } })
for await (const text of createInterface({ input: process.stdin })) {
  const line: Line = JSON.parse(text)
  if (line.do === 'stop') underWay.get((line.with as { readonly id: number }).id)?.abort()
  else void answer(line)
}
process.exit()
