import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const PROGRAM = fileURLToPath(new URL('./unhandled-errors-program.ts', import.meta.url))

const run = (...args: readonly string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' })

it('an unhandled rejection or exception of a check fails that check, and does not end its caller', () => {
  const { stdout, status } = run()
  expect(stdout.trim().split('\n')).toEqual([
    'rejection failed left behind',
    'exception failed thrown in a callback',
    'later passed ',
    'still running',
  ])
  expect(status).toBe(0)
})

it('an unhandled rejection of the caller ends the caller, as without the suite', () => {
  const { stdout, stderr, status } = run('foreign')
  expect(stdout).not.toContain('still running')
  expect(stderr).toContain("the caller's own")
  expect(status).toBe(1)
})
