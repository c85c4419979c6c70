import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { ABILITIES, type Ability, isAbility } from '../../src/kit/config/abilities.ts'
import type { Driver } from '../../src/kit/config/driver.ts'
import { toAnswer, toArguments } from '../../src/kit/config/wire-form.ts'
import { messageOf } from '../../src/kit/message-of.ts'

export interface ControlServer {
  readonly url: string
  /** The ability and the body of each request. */
  readonly requests: readonly (readonly [ability: string, body: unknown])[]
  close(): Promise<void>
}

/** Serves the functions of a driver over the control protocol, as a gateway's test build would. */
export async function serveControl(driver: Driver, token?: string): Promise<ControlServer> {
  const requests: [string, unknown][] = []
  const answer = async (ability: Ability, body: Readonly<Record<string, unknown>>): Promise<[number, unknown]> => {
    const call: unknown = driver[ability]
    if (typeof call !== 'function') return [404, {}]
    try {
      const result: unknown = await call.apply(driver, toArguments(ability, body))
      if (typeof Object(result).refused === 'string') return [409, result]
      return [200, toAnswer(ability, result)]
    } catch (error) {
      const isDeclined = error instanceof Error && error.name === 'UntestableError'
      return [isDeclined ? 501 : 500, { reason: messageOf(error) }]
    }
  }
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice(1)
    const content = await text(request)
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) return reply(401, {})
    if (name === 'abilities')
      return reply(200, {
        protocol: 1,
        abilities: Object.keys(ABILITIES).filter((ability) => driver[ability as Ability] !== undefined),
      })
    if (!isAbility(name)) return reply(404, {})
    const body: Readonly<Record<string, unknown>> = JSON.parse(content === '' ? '{}' : content)
    requests.push([name, body])
    reply(...(await answer(name, body)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the control server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
