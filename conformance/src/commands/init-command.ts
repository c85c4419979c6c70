import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { UsageError } from '../kit/config/usage-error.ts'
import type { Terminal } from './terminal.ts'

const DEFAULT_FILE = 'gateway.config.mjs'

const QUESTIONS = {
  'base-url': { ask: 'Where does the gateway answer? (an origin, without /api/v1)', default: 'http://127.0.0.1:8787' },
  service: { ask: 'Which service of the first application may the checks use?', default: 'ep_main' },
  'foreign-service': { ask: 'Which service belongs to the second application?', default: 'ep_foreign' },
  'control-url': { ask: 'Where is its control server, if it has one? (empty: none)', default: '' },
} as const

type Answers = Readonly<Record<keyof typeof QUESTIONS, string>>

const USAGE = `Usage: gateway-conformance init [file] [options]

Writes a commented configuration for \`gateway-conformance server\`, by default ${DEFAULT_FILE}. If the file name ends with
.yaml or .yml, the file is YAML. Asks for each setting that no option specifies; without a terminal it uses the defaults.
It overwrites no file, and writes no key to the file.

${Object.entries(QUESTIONS)
  .map(([name, question]) => `  --${name.padEnd(16)} ${question.ask}\n`)
  .join('')}  --help             prints this text
`

/** Runs `gateway-conformance init`. @throws {UsageError} The usage is wrong, or the file already exists. */
export async function runInitCommand(args: readonly string[], terminal: Terminal): Promise<0> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'base-url': { type: 'string' },
      service: { type: 'string' },
      'foreign-service': { type: 'string' },
      'control-url': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    terminal.print(USAGE)
    return 0
  }
  const [file = DEFAULT_FILE, ...rest] = positionals
  if (rest.length > 0) throw new UsageError(USAGE)
  const { 'base-url': given, ...answers } = await askFor(values)
  const origin = URL.parse(given)?.origin
  if (origin === undefined || origin !== given.replace(/\/$/, ''))
    throw new UsageError(`--base-url must be an origin such as https://gateway.example.com, not ${given}.`)
  const render = /\.ya?ml$/.test(file) ? renderYaml : renderModule
  await writeFile(file, render({ ...answers, 'base-url': origin }), { flag: 'wx' }).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new UsageError(isThere ? `${file} already exists.` : `${file} cannot be written: ${error}`)
  })
  terminal.print(
    `${file} has been written. Next:\n\n  export FIRST_KEY=… SECOND_KEY=…\n  npx gateway-conformance server --config ${file}\n`,
  )
  return 0
}

async function askFor(given: Partial<Answers>): Promise<Answers> {
  const lines = process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stderr }) : null
  const answer = async (name: keyof typeof QUESTIONS): Promise<string> => {
    const { ask, default: usual } = QUESTIONS[name]
    const said = given[name] ?? (await lines?.question(usual === '' ? `${ask} ` : `${ask} [${usual}] `)) ?? ''
    return said.trim() === '' ? usual : said.trim()
  }
  try {
    return {
      'base-url': await answer('base-url'),
      service: await answer('service'),
      'foreign-service': await answer('foreign-service'),
      'control-url': await answer('control-url'),
    }
  } finally {
    lines?.close()
  }
}

const renderModule = (
  answers: Answers,
): string => `import { defineServerConfig } from '@conversation-gateway/conformance'

export default defineServerConfig({
  baseUrl: ${JSON.stringify(answers['base-url'])},

  // Two applications, each with a key of all four scopes.
  apps: {
    first: { key: process.env.FIRST_KEY },
    second: { key: process.env.SECOND_KEY },
  },

  // Any two subjects that both applications may act for.
  subjects: { first: 'customer-a', second: 'customer-b' },

  services: {
    // Its assistant executes the scripts in input.data.script, such as [{ "delta": "Hello" }, { "hang": true }].
    main: ${JSON.stringify(answers.service)},
    // Belongs to the second application. The first application must not have access to it.
    foreign: ${JSON.stringify(answers['foreign-service'])},
    // For further checks: sameDevice, on the device of main; otherDevice, on another device.
  },

  // The control server performs actions that have no public route: pausing, moving the clock, rotating secrets.
  // Without 'control', checks that need such actions are not testable.
  ${answers['control-url'] === '' ? "// control: { url: 'http://127.0.0.1:8788' }," : `control: { url: ${JSON.stringify(answers['control-url'])} },`}

  // For further checks: webhooks and callbacks. Your editor shows the members of each.

  // How long the suite waits for effects that follow an answer, in milliseconds. Only a failing gateway takes this
  // long.
  deadlines: { settleMs: 20_000 },
})
`

const renderYaml = (answers: Answers): string => `baseUrl: ${JSON.stringify(answers['base-url'])}

# Two applications, each with a key of all four scopes.
apps:
  first: { key: "\${FIRST_KEY}" }
  second: { key: "\${SECOND_KEY}" }

# Any two subjects that both applications may act for.
subjects: { first: customer-a, second: customer-b }

services:
  # Its assistant executes the scripts in input.data.script, such as [{ "delta": "Hello" }, { "hang": true }].
  main: ${JSON.stringify(answers.service)}
  # Belongs to the second application. The first application must not have access to it.
  foreign: ${JSON.stringify(answers['foreign-service'])}
  # For further checks: sameDevice, on the device of main; otherDevice, on another device.

# The control server performs actions that have no public route: pausing, moving the clock, rotating secrets. Without
# 'control', checks that need such actions are not testable.
${answers['control-url'] === '' ? '# control: { url: "http://127.0.0.1:8788" }' : `control: { url: ${JSON.stringify(answers['control-url'])} }`}

# For further checks: webhooks and callbacks.

# How long the suite waits for effects that follow an answer, in milliseconds. Only a failing gateway takes this long.
deadlines: { settleMs: 20000 }
`
