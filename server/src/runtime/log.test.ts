import fc from 'fast-check'
import type { Logger } from 'pino'
import { describe, expect, it } from 'vitest'
import { createLogger } from './log.ts'

const KEY = 'gk_0123456789abcdef0123456789abcdef_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCde'

/** The line that `write` causes, as text and parsed. */
const logged = (write: (logger: Logger) => void, secrets: readonly string[] = []): { line: string; entry: object } => {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', destination: { write: (line) => lines.push(line) }, secrets })
  write(logger)
  expect(lines).toHaveLength(1)
  const line = lines.join('')
  const entry: unknown = JSON.parse(line)
  if (typeof entry !== 'object' || entry === null) throw new Error('the line is not an object')
  return { line, entry }
}

describe('a log line', () => {
  it('is one JSON object with time, level and message', () => {
    const { entry, line } = logged((logger) => logger.warn({ run_id: 'run_1' }, 'something odd'))
    expect(entry).toMatchObject({ level: 'warn', run_id: 'run_1', msg: 'something odd' })
    expect(entry).toHaveProperty('time', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))
    expect(line.endsWith('\n')).toBe(true)
  })

  it('carries the request ID of a child', () => {
    const { entry } = logged((logger) => logger.child({ request_id: 'req_1' }).info('hello'))
    expect(entry).toMatchObject({ request_id: 'req_1' })
  })

  it('goes to one shared output to standard error for all loggers', () => {
    const before = process.stderr.listenerCount('error')
    for (let count = 0; count < 20; count += 1) createLogger({ level: 'fatal' })
    expect(process.stderr.listenerCount('error')).toBe(before)
  })

  it('is not written below the level', () => {
    const lines: string[] = []
    createLogger({ level: 'warn', destination: { write: (line) => lines.push(line) } }).info('hello')
    expect(lines).toEqual([])
  })

  it('has the text of an error only once if the text of its cause is the same', () => {
    const refused = new Error('connect ECONNREFUSED', { cause: new Error('no route') })
    const err = new Error('connect ECONNREFUSED', { cause: refused })
    expect(logged((logger) => logger.error({ err }, 'x')).entry).toMatchObject({
      err: { message: 'connect ECONNREFUSED: no route' },
    })
  })

  it('keeps text that only resembles a secret', () => {
    const harmless = {
      idempotency_key: 'abc',
      key_id: 'key_1',
      tokens_used: 17,
      has_secret: true,
      url: 'https://example.com/a@b?page=2',
      risk: 'task-based risk-taking',
    }
    expect(logged((logger) => logger.info(harmless, 'a message')).entry).toMatchObject(harmless)
  })
})

const throws = (): never => {
  throw new Error('not readable')
}
const TRAPS = Object.fromEntries(Reflect.ownKeys(Reflect).map((trap) => [trap, throws]))
const revoked = Proxy.revocable({}, {})
revoked.revoke()
const circular = Object.assign(new Error('circular'), { big: 10n })

describe('a foreign value', () => {
  it.each<[string, unknown]>([
    [
      'an error with a getter that throws',
      Object.defineProperty(new Error('x'), 'y', { enumerable: true, get: throws }),
    ],
    ['an error whose message throws', Object.defineProperty(new Error('x'), 'message', { get: throws })],
    ['an error whose stack throws', Object.defineProperty(new Error('x'), 'stack', { get: throws })],
    ['an error whose cause throws', Object.defineProperty(new Error('x'), 'cause', { get: throws })],
    ['a frozen error', Object.freeze(new Error('x'))],
    ['an error that refers to itself', Object.assign(circular, { self: circular })],
    ['an object with a toJSON that throws', { toJSON: throws }],
    ['a proxy that throws', new Proxy({}, TRAPS)],
    ['a proxy of an error that throws', new Proxy(new Error('x'), TRAPS)],
    ['a revoked proxy', revoked.proxy],
    ['an object without a prototype', Object.create(null)],
    ['a symbol', Symbol('x')],
    ['a function', throws],
    ['null', null],
    ['nothing', undefined],
  ])('is logged as far as it can be read: %s', (_, err) => {
    const { entry } = logged((logger) => logger.error({ run_id: 'run_1', err }, 'an assistant failed'))
    expect(entry).toMatchObject({ run_id: 'run_1', msg: 'an assistant failed' })
    expect(() => createLogger({ level: 'info', destination: { write: () => {} } }).error(err)).not.toThrow()
  })
})

describe('a secret is redacted', () => {
  const SECRET = 'hunter2-hunter2'
  it.each<[string, (logger: Logger) => void]>([
    ['a key in a message', (logger) => logger.info(`rejected ${KEY}`)],
    ['a key in a nested object', (logger) => logger.info({ a: { b: [{ c: `x ${KEY} y` }] } })],
    ['a key in an error', (logger) => logger.error(new Error(`bad key ${KEY}`))],
    [
      'a key in the cause of an error',
      (logger) => logger.error({ err: new Error('outer', { cause: new Error(KEY) }) }),
    ],
    ['a key in a URL', (logger) => logger.info({ url: `/api/v1/runs?key=${KEY}` })],
    ['a bearer token in headers', (logger) => logger.info({ headers: { authorization: `Bearer ${SECRET}` } })],
    ['a bearer token in a message', (logger) => logger.info(`got Authorization: Bearer ${SECRET}`)],
    ['a bearer token in raw headers', (logger) => logger.info({ raw: ['Authorization', `Bearer ${SECRET}`] })],
    ['another scheme in raw headers', (logger) => logger.info({ raw: ['AUTHORIZATION', `Odd "${SECRET}"`] })],
    ['another scheme in header text', (logger) => logger.info(`authorization: Odd x, ${SECRET}`)],
    ['basic credentials', (logger) => logger.info(`basic ${SECRET}`)],
    ['a cookie', (logger) => logger.info({ headers: { 'set-cookie': [`a=${SECRET}`, `b=${SECRET}`] } })],
    ['a member named secret', (logger) => logger.info({ webhook: { secret: SECRET } })],
    ['a member with an odd spelling', (logger) => logger.info({ adminToken: SECRET, 'X-Api-Key': SECRET })],
    ['quotes and backslashes in a value', (logger) => logger.info({ password: `"\\" ${SECRET} \\"` })],
    ['an object under such a name', (logger) => logger.info({ secrets: { a: { b: [SECRET] }, c: '}' }, after: 1 })],
    ['bytes under such a name', (logger) => logger.info({ secret_key: Buffer.from(SECRET), text: 'x' })],
    ['a setting in an environment', (logger) => logger.info({ env: { GATEWAY_ADMIN_TOKEN: SECRET } })],
    ['bindings of a child', (logger) => logger.child({ token: SECRET }).info('hello')],
    ['JSON in a string', (logger) => logger.info({ body: JSON.stringify({ secret: SECRET, a: 1 }) })],
    ['JSON in JSON in a string', (logger) => logger.info(JSON.stringify({ body: JSON.stringify({ secret: SECRET }) }))],
    ['a database URL', (logger) => logger.info(`connecting to postgres://user:${SECRET}@db:5432/x`)],
    ['a database URL in an error', (logger) => logger.error(new Error(`postgresql://user:a/${SECRET}@b@db/x`))],
    ['a database URL that does not parse', (logger) => logger.error({ err: invalidUrl(`postgres://u:${SECRET}@:x/`) })],
    ['a password in the query of a URL', (logger) => logger.info(`postgres://db/x?user=u&password=${SECRET}&a=b`)],
    ['credentials in another URL', (logger) => logger.info({ target: `https://user:${SECRET}@example.com/` })],
    ['members of an error', (logger) => logger.error(Object.assign(new Error('x'), { config: { token: SECRET } }))],
  ])('as %s', (_, write) => {
    const { line } = logged(write)
    expect(line).not.toContain('AbCdEfGh')
    expect(line).not.toContain('hunter2')
    expect(line).not.toContain(JSON.stringify([...Buffer.from('hunter2')]).slice(1, -1))
    expect(line).toContain('[redacted]')
  })

  it('if it is known, in any form and anywhere', () => {
    const known = 'plain "words" / as secret'
    const { line } = logged(
      (logger) => logger.child({ a: known }).error({ err: new Error(known), url: encodeURIComponent(known) }, known),
      [known, 'the'],
    )
    expect(line).not.toMatch(/plain|words/)
  })

  it('anywhere in any object, and the line stays valid JSON', () => {
    const place = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(KEY, `Bearer ${SECRET}`, `a ${KEY}"\\`, `postgres://u:${SECRET}@h/d`),
        fc.string(),
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('token', 'authorization', 'a "secret"')), tie('value'), {
          maxKeys: 3,
        }),
      ),
    })).value
    fc.assert(
      fc.property(place, fc.string(), (value, message) => {
        const { line } = logged((logger) => logger.info({ value }, message))
        expect(line).not.toContain('hunter2')
        expect(line).not.toContain('AbCdEfGh')
      }),
      { numRuns: 500 },
    )
  })
})

const invalidUrl = (text: string): unknown => {
  try {
    return new URL(text)
  } catch (error) {
    return error
  }
}
