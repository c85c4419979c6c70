import { MUTANT_VARIABLE, type Mutant } from './mutant.ts'

type Patch = Pick<Mutant, 'name' | 'file' | 'find' | 'replace'>

/** The source with the fault in place. Throws unless the text to replace occurs exactly once. */
export function patchText(source: string, { name, file, find, replace }: Patch): string {
  const at = source.indexOf(find)
  if (at < 0)
    throw new Error(`The fault ${name} does not fit: its text to find is not in ${file}. Has the code changed?`)
  if (source.includes(find, at + 1))
    throw new Error(
      `The fault ${name} is ambiguous: its text to find occurs more than once in ${file}. Make the text longer.`,
    )
  return source.slice(0, at) + replace + source.slice(at + find.length)
}

/** Reads the fault from the value of the environment variable. Throws if it is missing or invalid. */
export function parsePatch(text: string | undefined): Patch {
  if (!text)
    throw new Error(`patch-source.ts is loaded, but ${MUTANT_VARIABLE} does not say which fault to put in place.`)
  const patch: unknown = JSON.parse(text)
  if (!isPatch(patch))
    throw new Error(
      `${MUTANT_VARIABLE} must be JSON with the texts name, file, find and replace; file and find not empty, replace unlike find.`,
    )
  return patch
}

const isPatch = (value: unknown): value is Patch => {
  const { name, file, find, replace } = Object(value) as Record<string, unknown>
  const isText = [name, file, find, replace].every((each) => typeof each === 'string')
  return isText && file !== '' && find !== '' && find !== replace
}
