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
    if (call !== undefined) return call.args[0]
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

  it.each([
    ['x', 'x'],
    ['x'.repeat(256), 'x'.repeat(256)],
    ['Ada Lovelace, London', 'Ada Lovelace, London'],
    ['a%20b', 'a%20b'],
    ['M\u00fcller', 'M\u00fcller'],
    ['\u540d\u524d \u{1f600}', '\u540d\u524d \u{1f600}'],
    ['\u{1f600}'.repeat(256), '\u{1f600}'.repeat(256)],
    ['  padded by HTTP  ', 'padded by HTTP'],
  ])('is taken as it stands: %j [SUBJ-01, SUBJ-06, SUBJ-08, SUBJ-09, SUBJ-11, SUBJ-13]', async (sent, taken) => {
    expect(await subjectGivenTo(sent)).toEqual({ appId: 'app_1', subject: taken })
  })

  it.each([
    ['of another encoding', 'M\u00fcller'],
    ['cut off', '\u00c3'],
    ['an overlong form', '\u00c0\u00af'],
    ['a surrogate', '\u00ed\u00a0\u0080'],
  ])('is refused when its bytes are no UTF-8: %s [SUBJ-12]', async (_, bytes) => {
    expect(await subjectGivenTo(bytes, 'latin1')).toEqual(REFUSED)
  })

  it('is not normalised [SUBJ-14]', async () => {
    for (const subject of ['\u00e9', 'e\u0301', '\u212b', '\u00c5'])
      expect(await subjectGivenTo(subject)).toEqual({ appId: 'app_1', subject })
  })

  it('is read from the header in any letter case [SUBJ-04]', async () => {
    const { fetch, calls } = server
    await fetch('/api/v1/runs/run_1', {
      bare: true,
      headers: { AUTHORIZATION: 'Bearer a-key', 'X-SERVICE-SUBJECT': 'subject-2' },
    })
    expect(calls.at(-1)?.args[0]).toEqual({ appId: 'app_1', subject: 'subject-2' })
  })

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
