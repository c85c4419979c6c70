import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requireSdk } from './require-sdk.ts'

it('names the command that installs the SDK if it is not installed', () => {
  expect(() => requireSdk(join(tmpdir(), 'elsewhere.js'))).toThrow('npm install @conversation-gateway/sdk')
  expect(() => requireSdk()).not.toThrow()
})
