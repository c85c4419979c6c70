import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Target } from '../kit/check.ts'
import { UsageError } from '../kit/config/usage-error.ts'
import { messageOf } from '../kit/message-of.ts'
import { RULES, topicOf } from '../kit/rules.ts'
import { parseBaseline } from '../report/baseline.ts'
import type { Selection } from '../run/selection.ts'
import type { SuiteOptions } from '../run/suite-options.ts'

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  profile: { type: 'string' },
  requirements: { type: 'string' },
  rule: { type: 'string', multiple: true },
  tag: { type: 'string', multiple: true },
  check: { type: 'string', multiple: true },
  'only-failed': { type: 'boolean', default: false },
  explain: { type: 'string' },
  'allow-untestable': { type: 'string', multiple: true },
  baseline: { type: 'string' },
  bail: { type: 'string' },
  timeout: { type: 'string' },
  concurrency: { type: 'string' },
  watch: { type: 'string', multiple: true },
  'report-json': { type: 'string' },
  'report-junit': { type: 'string' },
  'report-html': { type: 'string' },
  'report-markdown': { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const CONFIGS: Readonly<Record<Target, string>> = {
  server: `A file whose default export describes the gateway (defineServerConfig), or
                         reference: starts the reference gateway itself, from the checkout in
                         GATEWAY_DIR, on DATABASE_URL or the embedded database`,
  client: `A file whose default export describes the adapter (defineClientConfig), or
                         sdk, python: the clients that come with the suite`,
  receiver: `A file whose default export describes the receiver (defineReceiverConfig), or
                         sdk, python: the receivers that come with the suite`,
  worker: `A file whose default export describes the worker (defineWorkerConfig), or
                         sdk: the SDK's worker`,
}

export const usageOf = (target: Target): string => `Usage: gateway-conformance ${target} --config <config> [options]

  -c, --config <config>  ${CONFIGS[target]}
  --profile <profile>    core (default): the requirements of the specification; reference: these and the decisions.
                         For workers only reference exists
  --requirements <set>   which checks count: latest (default), the newest set of the profile; a name, such as
                         core-2026-12; all. Checks that are newer than the set are run without effect on the verdict
  --rule <rule>          only checks of this rule (IDEM-03) or topic (IDEM); repeatable
  --tag <tag>            only checks with this tag or topic (race, idempotency); repeatable
  --check <id>           only this check; repeatable
  --only-failed          only checks that failed, were undecided or were not run in the last run with this configuration
  --explain <rule>       runs the checks of one rule, or one check, and prints their requests and answers
  --allow-untestable <topic>
                         a topic (webhooks) or check that this system deliberately does not offer; repeatable. The
                         verdict names it, but the system can still be conformant
  --baseline <file>      known failures: a YAML or JSON list of { check, reason }; stale entries fail the run
  --bail <n>             starts no further check after n failures
  --timeout <seconds>    time limit of one check; default: ten times the longest wait in the configuration, at least 60
  --concurrency <n>      maximum number of concurrent checks
  --watch <folder>       runs again when a file below it changes, or on Enter; repeatable
  --report-json <file>   --report-junit <file>   --report-html <file>   --report-markdown <file>
  --list                 prints the selected checks and runs nothing
  -h, --help             prints this text

Exit codes: 0 conformant, or all selected checks passed; 1 a MUST is broken or the baseline is stale; 2 no verdict: wrong
usage, the system does not answer, your key is refused, nothing could be examined, or the driver failed; 3 incomplete: no MUST
is broken, but some checks that count could not be examined; 130, 143 or 129: interrupted.
`

export type ReportFiles = Readonly<Record<'json' | 'junit' | 'html' | 'markdown', string | undefined>>

/** A parsed command line. */
export interface SuiteCommand {
  readonly help: boolean
  readonly list: boolean
  readonly selection: Selection
  readonly config: string | undefined
  readonly run: Pick<
    SuiteOptions,
    'allowUntestable' | 'requirements' | 'baseline' | 'concurrency' | 'timeoutMs' | 'bail'
  >
  readonly explain: boolean
  readonly onlyFailed: boolean
  readonly watch: readonly string[]
  readonly files: ReportFiles
}

/** @throws {UsageError} An option has an invalid value. */
export async function parseSuiteCommand(args: readonly string[]): Promise<SuiteCommand> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const { requirements, baseline, concurrency, timeout, bail } = values
  return {
    help: values.help,
    list: values.list,
    selection: toSelection(values),
    config: values.config,
    run: {
      ...(requirements === undefined ? {} : { requirements }),
      ...(values['allow-untestable'] === undefined ? {} : { allowUntestable: values['allow-untestable'] }),
      ...(baseline === undefined ? {} : { baseline: await readBaseline(baseline) }),
      ...(concurrency === undefined ? {} : { concurrency: toCount('--concurrency', concurrency) }),
      ...(timeout === undefined ? {} : { timeoutMs: toCount('--timeout', timeout) * 1000 }),
      ...(bail === undefined ? {} : { bail: toCount('--bail', bail) }),
    },
    explain: values.explain !== undefined,
    onlyFailed: values['only-failed'],
    watch: (values.watch ?? []).map((folder) => resolve(folder)),
    files: {
      json: values['report-json'],
      junit: values['report-junit'],
      html: values['report-html'],
      markdown: values['report-markdown'],
    },
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

function toSelection({ profile, rule, tag, check, explain }: Values): Selection {
  if (profile !== undefined && profile !== 'core' && profile !== 'reference')
    throw new UsageError(`--profile must be core or reference, not ${profile}.`)
  const explained = explain === undefined ? [] : [explain]
  const isCheck = explain?.includes('/') ?? false
  const rules = [...(rule ?? []), ...(isCheck ? [] : explained)]
  for (const name of rules)
    if (!isRuleOrTopic(name)) throw new UsageError(`${name} is neither a rule nor a topic of rules.`)
  const checks = [...(check ?? []), ...(isCheck ? explained : [])]
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(checks.length === 0 ? {} : { checks }),
  }
}

const isRuleOrTopic = (name: string): boolean => RULES.has(name) || [...RULES.keys()].some((id) => topicOf(id) === name)

const toCount = (option: string, text: string): number => {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`${option} must be a positive integer, not ${text}.`)
  return count
}

async function readBaseline(file: string) {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The baseline ${file} cannot be read.`)
  })
  try {
    return parseBaseline(text)
  } catch (error) {
    throw new UsageError(`${file}: ${messageOf(error)}`)
  }
}
