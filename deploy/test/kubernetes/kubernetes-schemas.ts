import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const PINNED = join(import.meta.dirname, 'pinned')
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache')
const MANIFESTS = ['package.json', 'package-lock.json']

/** An object of a Kubernetes manifest. */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly [field: string]: unknown
}

/**
 * The faults for which the API server would refuse these objects. The schemas accept unknown fields, so the types check
 * them: an object literal may only have the fields of its type.
 */
export const findFaults = async (objects: readonly KubernetesObject[]): Promise<string[]> => {
  const folder = install()
  const unknown = objects.filter((object) => !existsSync(moduleOf(folder, object)))
  if (unknown.length > 0) return unknown.map(({ apiVersion, kind }) => `There is no ${kind} in ${apiVersion}.`)
  const bySchema = await Promise.all(objects.map((object) => schemaFaults(folder, object)))
  return [...typeFaults(folder, objects), ...bySchema.flat()]
}

const moduleOf = (folder: string, { apiVersion, kind }: KubernetesObject): string =>
  join(folder, 'node_modules/kubernetes-models', apiVersion, `${kind}.js`)

const typeFaults = (folder: string, objects: readonly KubernetesObject[]): string[] => {
  const file = join(folder, `checked-${process.pid}.mts`)
  const lines = objects.map(
    (object, at) =>
      `import type { I${object.kind} as T${at} } from 'kubernetes-models/${object.apiVersion}/${object.kind}'
      export const o${at}: T${at} = ${JSON.stringify(object)}`,
  )
  writeFileSync(file, lines.join('\n'))
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    types: [],
  })
  const faults = ts.getPreEmitDiagnostics(program)
  rmSync(file)
  return faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

const schemaFaults = async (folder: string, object: KubernetesObject): Promise<string[]> => {
  const { [object.kind]: Model } = await import(moduleOf(folder, object))
  try {
    new Model(object).validate()
    return []
  } catch (error) {
    return [`${object.kind}: ${error instanceof Error ? error.message : error}`]
  }
}

/** Installs the lockfile in `pinned` once, separately from the workspace. */
const install = (): string => {
  const manifests = MANIFESTS.map((name) => readFileSync(join(PINNED, name)))
  const hash = createHash('sha256').update(Buffer.concat(manifests)).digest('hex').slice(0, 16)
  const folder = join(CACHE, `kubernetes-schemas-${hash}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  for (const name of MANIFESTS) copyFileSync(join(PINNED, name), join(draft, name))
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: draft, stdio: 'ignore' })
  // The folder is complete once it has this name.
  renameSync(draft, folder)
  return folder
}
