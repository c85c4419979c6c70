import { fileURLToPath } from 'node:url'
import { runRedocly } from './redocly.ts'

const at = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** Lints the documents with the rules of redocly.yaml; a warning fails like an error. */
export async function lintContract(): Promise<{ ok: boolean; output: string }> {
  const { ok, output } = await runRedocly(
    'lint',
    '--config',
    at('redocly.yaml'),
    at('gateway.yaml'),
    at('admin.yaml'),
    at('control.yaml'),
  )
  return { ok: ok && !/\bwarnings?\b/i.test(output), output }
}
