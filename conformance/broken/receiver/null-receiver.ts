import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReceiverConfig } from '../../src/kit/config/receiver-config.ts'

/** Receivers that do nothing and must pass no check: one never answers, one confirms and one refuses everything. */
export type NullReceiver = 'silent' | 'agreeing' | 'refusing'

/** Starts a receiver that does nothing. It stores nothing, and its driver says so. */
export const startNullReceiver = async (kind: NullReceiver): Promise<ReceiverConfig> => {
  const server = createServer((request, response) => {
    request.resume()
    if (kind !== 'silent') request.on('end', () => response.writeHead(kind === 'agreeing' ? 200 : 401).end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const nothing = async (): Promise<void> => {}
  return {
    name: `null (${kind})`,
    url: `http://127.0.0.1:${port}/callbacks`,
    secret: '5ec7e70f0123456789abcdef',
    driver: { stored: async () => null, kill: nothing, restart: nothing, breakStorage: nothing, mendStorage: nothing },
    answerMs: 300,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
