import { lintContract } from './lint-contract.ts'

const { ok, output } = await lintContract()
if (!ok) console.error(output)
process.exitCode = ok ? 0 : 1
