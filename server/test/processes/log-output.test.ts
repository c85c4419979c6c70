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
/** Where a process writes to: the test reads it, it is a full disk, or its reader is gone. */
type Fate = 'read' | 'full' | 'gone'

const start = (fates: Readonly<Record<Side, Fate>>): ChildProcess => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, GATEWAY_PORT: '0', DATABASE_URL: database.url, GATEWAY_LOG_LEVEL: 'info' },
    stdio: ['ignore', fates.stdout === 'full' ? full : 'pipe', fates.stderr === 'full' ? full : 'pipe'],
  })
  closeSync(full)
  if (fates.stdout === 'gone') child.stdout?.destroy()
  if (fates.stderr === 'gone') child.stderr?.destroy()
  return child
}

/** The address, from any output of the process. */
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

test.each<[string, Readonly<Record<Side, Fate>>]>([
  ['the disk of its log is full', { stdout: 'read', stderr: 'full' }],
  ['the reader of its log is gone', { stdout: 'read', stderr: 'gone' }],
  ['the disk of its standard output is full', { stdout: 'full', stderr: 'read' }],
  ['the reader of its standard output is gone', { stdout: 'gone', stderr: 'read' }],
])('a gateway serves and ends in time when %s', async (_, fates) => {
  const child = start(fates)
  const exited = once(child, 'exit')
  try {
    const baseUrl = await baseUrlOf(child, fates.stdout === 'read' ? 'stdout' : 'stderr')
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200)
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
    const [, dropped] = /^gateway_log_lines_dropped_total (\d+)$/m.exec(metrics) ?? []
    expect(Number(dropped) > 0).toBe(fates.stderr !== 'read')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})
