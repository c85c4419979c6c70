import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { CreatedDatabase } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/postgres.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
const BASE_URL = /"base_url":"([^"]+)"/

let database: CreatedDatabase
beforeAll(async () => {
  const { postgresUrl, template } = inject('databases')
  database = await createDatabase(postgresUrl, template)
})
afterAll(() => database.drop())

type Side = 'stdout' | 'stderr'
/** The other end of an output: the test reads it, it is a full disk, or its reader has closed it. */
type Target = 'read' | 'full' | 'gone'

const start = (targets: Readonly<Record<Side, Target>>): ChildProcess => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, GATEWAY_PORT: '0', DATABASE_URL: database.url, GATEWAY_LOG_LEVEL: 'info' },
    stdio: ['ignore', targets.stdout === 'full' ? full : 'pipe', targets.stderr === 'full' ? full : 'pipe'],
  })
  closeSync(full)
  if (targets.stdout === 'gone') child.stdout?.destroy()
  if (targets.stderr === 'gone') child.stderr?.destroy()
  return child
}

/** The address of the gateway, from one of its outputs. */
const baseUrlOf = async (child: ChildProcess, side: Side): Promise<string> => {
  const stream = side === 'stdout' ? child.stdout : child.stderr
  let text = ''
  for await (const chunk of stream?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    text += chunk
    const [, baseUrl] = BASE_URL.exec(text) ?? []
    if (baseUrl !== undefined) {
      stream?.resume()
      return baseUrl
    }
  }
  throw new Error(`the gateway ended before it was ready: ${text}`)
}

test.each<[string, Readonly<Record<Side, Target>>]>([
  ['the disk of its log is full', { stdout: 'read', stderr: 'full' }],
  ['the reader of its log is gone', { stdout: 'read', stderr: 'gone' }],
  ['the disk of its standard output is full', { stdout: 'full', stderr: 'read' }],
  ['the reader of its standard output is gone', { stdout: 'gone', stderr: 'read' }],
])('a gateway serves and ends in time when %s', async (_, targets) => {
  const child = start(targets)
  const exited = once(child, 'exit')
  try {
    const baseUrl = await baseUrlOf(child, targets.stdout === 'read' ? 'stdout' : 'stderr')
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200)
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
    const [, dropped] = /^gateway_log_lines_dropped_total (\d+)$/m.exec(metrics) ?? []
    expect(Number(dropped) > 0).toBe(targets.stderr !== 'read')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})
