import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseResult } from './behaviour.ts'
import { bundleBehaviour } from './bundle-behaviour.ts'
import type { RuntimeSetup, SharedGateway } from './runtime-setup.ts'
import type { Launch, Runtime } from './runtimes.ts'

const DEADLINE_MS = 120_000
const OUTPUT_CHARACTERS = 4_000

/** The results of the cases in one runtime; `fault` says why it did not finish. */
export interface RuntimeReport {
  readonly runtime: string
  readonly results: readonly CaseResult[]
  readonly fault: string | null
}

/** Runs all cases in a runtime, in a separate process. @param stop Ends it early. */
export const runIn = async (runtime: Runtime, gateway: SharedGateway, stop: AbortSignal): Promise<RuntimeReport> => {
  const folder = await mkdtemp(join(tmpdir(), `sdk-${runtime.name}-`))
  const setup = await gateway.openSetup(runtime.name)
  try {
    await bundleBehaviour(join(folder, 'behaviour.js'))
    const launch = await runtime.prepare({ folder, fixture: setup.fixture, serve: serveThrough(setup) })
    const fault = await runToItsEnd(launch, setup, stop)
    return { runtime: runtime.name, fault: fault ?? (await findGatewayFault(setup)), results: setup.harness.results }
  } catch (error) {
    return { runtime: runtime.name, fault: String(error), results: setup.harness.results }
  } finally {
    await setup.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const serveThrough =
  ({ proxy }: RuntimeSetup) =>
  (path: string, contentType: string, body: string): void =>
    proxy.inject({ path, fault: { kind: 'answer', status: 200, headers: { 'content-type': contentType }, body } })

/** Resolves with the reason why the runtime did not finish, or with null. */
const runToItsEnd = async (
  { program, args }: Launch,
  { harness }: RuntimeSetup,
  stop: AbortSignal,
): Promise<string | null> => {
  // A separate process group, so that the processes of a browser end with it.
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS)
    })
  let timer: NodeJS.Timeout | undefined
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const fault = await Promise.race([
    harness.done.then(() => null),
    new Promise<string>((resolve) => child.once('error', (error) => resolve(`it could not be started: ${error}`))),
    new Promise<string>((resolve) => stop.addEventListener('abort', () => resolve('it was stopped'), { once: true })),
    closed.then(() => `it ended before all cases had been run:\n${output}`),
    new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`it was not done after ${DEADLINE_MS} ms:\n${output}`), DEADLINE_MS)
    }),
  ])
  clearTimeout(timer)
  if (child.pid !== undefined) {
    endGroup(child.pid)
    await closed
  }
  return fault
}

/** If the gateway has ended, all later cases fail although the runtime has no fault. */
const findGatewayFault = ({ proxy }: RuntimeSetup): Promise<string | null> =>
  fetch(`${proxy.target}/healthz`).then(
    () => null,
    () => 'the gateway ended before the last case',
  )

const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}
