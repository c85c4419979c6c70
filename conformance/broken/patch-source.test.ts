import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Mutant, mutantEnvironment } from './mutant.ts'

const LOADER = fileURLToPath(new URL('patch-source.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const PROGRAM = `
const { toHex } = await import('./sdk/src/signature/sign.ts')
console.log(toHex(new Uint8Array([171]).buffer))
`

const mutant: Mutant = {
  name: 'upper-case',
  rule: 'SIG-10',
  fault: 'Writes hex in upper case.',
  file: 'sdk/src/signature/sign.ts',
  find: "toString(16).padStart(2, '0')",
  replace: "toString(16).padStart(2, '0').toUpperCase()",
}

const run = (env: Readonly<Record<string, string>>) =>
  new Promise<{ failed: boolean; output: string }>((resolve) => {
    const args = ['--import', LOADER, '--input-type=module', '--eval', PROGRAM]
    execFile(process.execPath, args, { cwd: ROOT, env: { PATH: process.env.PATH, ...env } }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    )
  })

describe('the loader of mutants', () => {
  it('runs a program whose source has the fault', async () => {
    await expect(run(mutantEnvironment(mutant))).resolves.toEqual({ failed: false, output: 'AB\n' })
  })

  it.each([
    ['its text is not in the file', { find: 'no such text' }, 'is not in sdk/src/signature/sign.ts'],
    ['its text occurs more than once', { find: 'const' }, 'more than once'],
    ['its file does not exist', { file: 'sdk/src/nothing.ts' }, 'does not exist'],
    ['it changes nothing', { replace: mutant.find }, 'must be JSON with'],
    ['a member is missing', { file: undefined }, 'must be JSON with'],
  ])('ends a program whose fault cannot be applied: %s', async (_why, change, message) => {
    const env = { CONFORMANCE_MUTANT: JSON.stringify({ ...mutant, ...change }) }
    const { failed, output } = await run(env)
    expect(failed).toBe(true)
    expect(output).toContain(message)
  })

  it('ends a program whose environment names no fault', async () => {
    const { failed, output } = await run({})
    expect(failed).toBe(true)
    expect(output).toContain('CONFORMANCE_MUTANT does not say which fault')
  })
})
