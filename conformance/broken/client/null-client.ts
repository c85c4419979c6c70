/**
 * Clients that do nothing and must pass no check. All of them answer `open`. `node null-client.ts silent …` answers no
 * other command, `agreeing` reports success, and `refusing` an error. The other arguments are the claimed abilities.
 */
import { createInterface } from 'node:readline'

const [kind = 'silent', ...abilities] = process.argv.slice(2)

const ENDS: Readonly<Record<string, object | null>> = {
  silent: null,
  agreeing: { result: {} },
  refusing: { error: { kind: 'invalid', message: 'This client does nothing.' } },
}
const end = ENDS[kind]
if (end === undefined) throw new Error(`There is no null client ${kind}, only ${Object.keys(ENDS).join(', ')}.`)

const write = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`)

write({ hello: { protocol: 1, name: `null (${kind})`, abilities } })
for await (const text of createInterface({ input: process.stdin })) {
  const { id, do: command } = JSON.parse(text)
  if (command === 'open') write({ id, result: {} })
  else if (end !== null && command !== 'stop') write({ id, ...end })
}
