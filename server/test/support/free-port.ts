import { once } from 'node:events'
import { createServer } from 'node:net'
import { listen } from './listen.ts'

/** A TCP port of loopback that was free a moment ago. */
export const findFreePort = async (): Promise<number> => {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  return port
}
