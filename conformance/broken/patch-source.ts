import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { MUTANT_VARIABLE } from './mutant.ts'
import { parsePatch, patchText } from './patch-text.ts'

/*
 * Loaded with `node --import`, before the program: gives it the fault that the environment names. If the fault cannot
 * be applied, the process exits, since a program without its fault would prove nothing. Worker threads that inherit the
 * flags are patched like the main thread.
 */
const patch = parsePatch(process.env[MUTANT_VARIABLE])
const url = new URL(`../../${patch.file}`, import.meta.url).href
const path = fileURLToPath(url)
if (!existsSync(path)) throw new Error(`The fault ${patch.name} is for ${patch.file}, which does not exist.`)
// Check the fault before any module is loaded, because a program may load the file late or never.
patchText(readFileSync(path, 'utf8'), patch)

registerHooks({
  load: (asked, context, nextLoad) => {
    const loaded = nextLoad(asked, context)
    if (asked.split(/[?#]/, 1)[0] !== url) return loaded
    const { source } = loaded
    if (source === null || source === undefined) throw new Error(`${patch.file} was loaded without its source.`)
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
    return { ...loaded, source: patchText(text, patch) }
  },
})
