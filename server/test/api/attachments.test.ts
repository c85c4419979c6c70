import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import type { Resource } from '@conversation-gateway/openapi/generated/gateway-closed'
import { expect, test } from 'vitest'
import type { Statement } from '../../src/store/db.ts'
import { KEYS } from '../support/bootstrap-file.ts'
import { onGateways } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'
import { uploadAttachment } from '../support/upload-attachment.ts'

const RESOURCES = '/api/v1/resources'
const MEBIBYTE = 1024 * 1024

onGateways('an attachment', (running) => {
  const declare = async (size = 5): Promise<string> => {
    const declaration = { filename: 'notes.txt', content_type: 'text/plain', size }
    return (await running.client().post<Resource>(RESOURCES, declaration)).body.resource_id
  }

  test('is refused beyond 16 MiB even without Content-Length, and the connection stays usable [RES-17]', async () => {
    const id = await declare()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = async (method: string, path: string, pieces: number) => {
      const headers = { authorization: `Bearer ${KEYS.all}`, 'x-service-subject': 'subject-1' }
      const sending = request(`${running.baseUrl}${RESOURCES}/${id}${path}`, { method, agent, headers })
      for (let piece = 0; piece < pieces; piece += 1) sending.write(Buffer.alloc(MEBIBYTE))
      const [response]: IncomingMessage[] = await once(sending.end(), 'response')
      const { localPort } = sending.socket ?? {}
      response?.resume()
      if (response !== undefined) await once(response, 'end')
      return { status: response?.statusCode, localPort }
    }
    const refused = await ask('PUT', '/content', 24)
    expect(refused.status).toBe(413)
    expect(await ask('GET', '', 0)).toEqual({ status: 200, localPort: refused.localPort })
    agent.destroy()
  })

  test('stays pending if its upload is aborted, and the received content is removed', async () => {
    const { db } = running.gateway.context
    await running.passTime(0)
    const id = await declare(MEBIBYTE)
    const { hostname, port } = new URL(running.baseUrl)
    const socket = connect(Number(port), hostname)
    socket.write(
      `PUT ${RESOURCES}/${id}/content HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEYS.all}\r\n` +
        `x-service-subject: subject-1\r\ncontent-length: ${MEBIBYTE}\r\n\r\n${'x'.repeat(MEBIBYTE / 2)}`,
    )
    const uploads: Statement = {
      name: 'test_pieces',
      access: 'read',
      text: `select (select count(*) from resource_uploads)::integer as uploads,
        (select count(*) from resource_chunks c where not exists
          (select 1 from resources r where r.upload_id = c.upload_id))::integer as pieces`,
    }
    await untilHolds(async () =>
      expect(await db.query(uploads, [])).toEqual([{ uploads: 1, pieces: expect.any(Number) }]),
    )
    socket.destroy()
    await untilHolds(async () => {
      await running.passTime(0)
      expect(await db.query(uploads, [])).toEqual([{ uploads: 0, pieces: 0 }])
    })
    expect((await running.client().request('GET', `${RESOURCES}/${id}`)).body).toMatchObject({ status: 'pending' })
  })

  test('is downloaded with its name and declared type, and not displayed by a browser [RES-14]', async () => {
    const client = running.client()
    const cases = [
      ['page.html', 'text/html', 'attachment; filename="page.html"'],
      ['data.json', 'application/json', 'attachment; filename="data.json"'],
      [
        'Übersicht "1".svg',
        'image/svg+xml',
        `attachment; filename="_bersicht _1_.svg"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.svg`,
      ],
    ] as const
    for (const [filename, contentType, disposition] of cases) {
      // The client of the tests parses the content of a JSON file.
      const id = await uploadAttachment(client, { filename, contentType, content: '12345' })
      const { headers } = await client.request('GET', `${RESOURCES}/${id}/content`)
      expect(headers.get('content-type')).toBe(contentType)
      expect(headers.get('content-disposition')).toBe(disposition)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(headers.get('content-length')).toBe('5')
    }
  })
})
