/** Lints the documents with the rules of redocly.yaml: `node openapi/src/lint.ts`. A warning fails like an error. */
import { fileURLToPath } from 'node:url'
import { runRedocly } from './redocly.ts'

const at = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

const documents = ['gateway.yaml', 'admin.yaml', 'worker.yaml', 'control.yaml'].map(at)
const { ok, output } = await runRedocly('lint', '--config', at('redocly.yaml'), ...documents)
const isClean = ok && !/\bwarnings?\b/i.test(output)
if (!isClean) console.error(output)
process.exitCode = isClean ? 0 : 1
