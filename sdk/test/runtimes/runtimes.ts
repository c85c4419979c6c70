import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Fixture } from './context.ts'
import { installChromium, installRuntimes } from './install.ts'

/** How a runtime is started. */
export interface Launch {
  readonly program: string
  readonly args: readonly string[]
}

/** The folder and the input of the cases for one runtime. */
export interface Site {
  /** Contains the bundle, `behaviour.js`. Other files that a runtime needs are written here. */
  readonly folder: string
  readonly fixture: Fixture
  /** Lets the proxy answer in the gateway's place, so that a page has the gateway's origin. */
  serve(path: string, contentType: string, content: string): void
}

export interface Runtime {
  readonly name: string
  /**
   * Installs the runtime if needed, and returns how to run the cases of the site. Rejects when the runtime is
   * unavailable.
   */
  prepare(site: Site): Promise<Launch>
}

const BUNDLE = 'behaviour.js'

/** Writes a module that runs the bundle, and returns its path. */
const writeProgram = async ({ folder, fixture }: Site): Promise<string> => {
  const file = join(folder, 'run.mjs')
  await writeFile(file, `import { runAll } from './${BUNDLE}'\nawait runAll(${JSON.stringify(fixture)})\n`)
  return file
}

/** A compatibility date that the pinned workerd supports. Later dates may change its behaviour. */
const WORKERD_DATE = '2026-11-01'

const WORKERD_CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "cases", worker = (
      modules = [ (name = "worker.js", esModule = embed "worker.js"), (name = "${BUNDLE}", esModule = embed "${BUNDLE}") ],
      compatibilityDate = "${WORKERD_DATE}",
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["127.0.0.1/32"])),
  ],
);
`

const NODE22: Runtime = {
  name: 'node22',
  prepare: async (site) => ({ program: (await installRuntimes()).node22, args: [await writeProgram(site)] }),
}

const NODE24: Runtime = {
  name: 'node24',
  prepare: async (site) => ({ program: process.execPath, args: [await writeProgram(site)] }),
}

const BUN: Runtime = {
  name: 'bun',
  prepare: async (site) => ({ program: (await installRuntimes()).bun, args: ['run', await writeProgram(site)] }),
}

const DENO: Runtime = {
  name: 'deno',
  prepare: async (site) => ({
    program: (await installRuntimes()).deno,
    // The SDK needs no other permission.
    args: ['run', '--no-config', '--no-lock', '--no-prompt', '--allow-net=127.0.0.1', await writeProgram(site)],
  }),
}

const WORKERD: Runtime = {
  name: 'workerd',
  prepare: async ({ folder, fixture }) => {
    const worker = `import { runAll } from './${BUNDLE}'\nexport default { test: () => runAll(${JSON.stringify(fixture)}) }\n`
    await writeFile(join(folder, 'worker.js'), worker)
    await writeFile(join(folder, 'config.capnp'), WORKERD_CONFIG)
    return { program: (await installRuntimes()).workerd, args: ['test', join(folder, 'config.capnp')] }
  },
}

const CHROMIUM: Runtime = {
  name: 'chromium',
  prepare: async ({ folder, fixture, serve }) => {
    const script = `import { runAll } from '/${BUNDLE}'; await runAll(${JSON.stringify(fixture)})`
    serve('/cases.html', 'text/html', `<!doctype html><script type="module">${script}</script>`)
    serve(`/${BUNDLE}`, 'text/javascript', await readFile(join(folder, BUNDLE), 'utf8'))
    const profile = `--user-data-dir=${join(folder, 'profile')}`
    // Chromium's sandbox does not work for root; the test opens only its own page.
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', profile]
    return { program: await installChromium(), args: [...args, `${fixture.origin}/cases.html`] }
  },
}

export const RUNTIMES: readonly Runtime[] = [NODE22, NODE24, BUN, DENO, WORKERD, CHROMIUM]
