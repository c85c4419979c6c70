import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from './support.ts'
import { HEADERS, startServer } from './support.ts'

describe('the subject', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(async () => {
    expect(server.app.contractViolations).toEqual([])
    await server.close()
  })

  const subjectGivenTo = async (subject: string | null, encoding: BufferEncoding = 'utf8'): Promise<unknown> => {
    const before = server.calls.length
    const header = subject === null ? '' : `X-Service-Subject: ${subject}\r\n`
    const head = `GET /api/v1/runs/run_1 HTTP/1.1\r\nhost: x\r\nauthorization: ${HEADERS.authorization}\r\n`
    const answer = await server.raw(head, Buffer.from(header, encoding), 'connection: close\r\n\r\n')
    const call = server.calls[before]
    if (call !== undefined) return call.request.tenant
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    return [problem.code, problem.errors.map((fault: { pointer: string }) => fault.pointer)]
  }
  const REFUSED = ['INVALID_REQUEST', ['X-Service-Subject']]

  it.each([
    ['absent', null],
    ['empty', ''],
    ['white space only', '  '],
    ['257 characters long', 'x'.repeat(257)],
    ['with a tab', 'a\tb'],
    ['with a control character beyond ASCII', 'a\u0085b'],
    ['with white space beyond ASCII in front', '\u3000a'],
    ['with white space beyond ASCII behind', 'a\u00a0'],
    ['257 code points long', '\u{1f600}'.repeat(257)],
  ])(
    'is refused, named by its header, when it is %s [SUBJ-05, SUBJ-06, SUBJ-07, SUBJ-08, SUBJ-10]',
    async (_, subject) => {
      expect(await subjectGivenTo(subject)).toEqual(REFUSED)
    },
  )

  it('is refused when it is given twice, also where the two would make one', async () => {
    const before = server.calls.length
    const answer = await server.raw(
      'GET /api/v1/runs/run_1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a-key\r\n',
      'x-service-subject: a\r\nx-service-subject: b\r\nconnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(server.calls).toHaveLength(before)
  })
})
