import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-interrupt-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** An adapter that says hello and records its process ID. It never answers, and exits only when killed. */
const ADAPTER = `
import { appendFileSync } from 'node:fs'
appendFileSync(process.argv[2], process.pid + '\\n')
console.log(JSON.stringify({ hello: { protocol: 1, name: 'silent', abilities: ['read_run', 'send_message'] } }))
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
`

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('on %s, the command ends its adapters and prints the results so far', async (signal, exitCode) => {
  const [adapter, pids, config] = ['adapter.mjs', 'pids', 'config.mjs'].map((name) => join(folder, name))
  await writeFile(adapter ?? '', ADAPTER)
  await writeFile(
    config ?? '',
    `export default { command: ${JSON.stringify([process.execPath, adapter, pids])}, deadlines: { stepMs: 600_000 } }`,
  )
  const child = spawn(process.execPath, [CLI, 'client', '--config', config ?? ''], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const started = async (): Promise<number[]> => {
    const text = await readFile(pids ?? '', 'utf8').catch(() => '')
    return text.trim().split('\n').filter(Boolean).map(Number)
  }
  // The first adapter serves the hello, and the others serve running checks.
  while ((await started()).length < 3) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill(signal)
  const [code]: unknown[] = await once(child, 'close')
  expect(code).toBe(exitCode)
  expect(output).toContain('Interrupted')
  expect(output).toContain('not run, the run was interrupted')
  expect(output).toContain('NO VERDICT')
  // The operating system needs a moment to remove killed processes.
  const pidsStarted = await started()
  await expect.poll(() => pidsStarted.filter(isAlive), { timeout: 10_000 }).toEqual([])
})
