import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Target } from '../kit/check.ts'
import type { ClientCheck } from '../kit/client/client-context.ts'
import type { ReceiverCheck } from '../kit/receiver/receiver-context.ts'
import type { ServerCheck } from '../kit/server/context.ts'
import type { WorkerCheck } from '../kit/worker/worker-context.ts'

interface CheckOf {
  readonly server: ServerCheck
  readonly client: ClientCheck
  readonly receiver: ReceiverCheck
  readonly worker: WorkerCheck
}

/** TypeScript in the workspace, JavaScript in the package. */
const EXTENSION = extname(import.meta.url)

/**
 * Every check of a target: the `checks` exports of the files in its folder, in the order of their paths.
 * @throws {Error} a file has no such export.
 */
export async function loadChecks<Name extends Target>(target: Name): Promise<readonly CheckOf[Name][]> {
  const folder = join(import.meta.dirname, target)
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith(EXTENSION) && !file.endsWith(`.d${EXTENSION}`))
    .toSorted()
  const none: CheckOf[Name][] = []
  return none.concat(...(await Promise.all(files.map((file) => importChecks<Name>(join(folder, file))))))
}

async function importChecks<Name extends Target>(file: string): Promise<readonly CheckOf[Name][]> {
  const { checks }: { readonly checks?: readonly CheckOf[Name][] } = await import(pathToFileURL(file).href)
  if (checks === undefined) throw new Error(`${file} must export its checks as \`checks\``)
  return checks
}
