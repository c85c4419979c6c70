import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { describeCheck } from '../catalogue.ts'
import type { Target } from '../check.ts'
import { UsageError } from '../config/load-config.ts'
import { renderHtml } from '../report/html.ts'
import type { SuiteReport } from '../report/suite-report.ts'
import { renderExplanation, renderSummary } from '../report/terminal.ts'
import { RULES, topicOf } from '../rules.ts'
import { parseBaseline } from '../runner/baseline.ts'
import { runUnderVitest } from '../runner/run-under-vitest.ts'
import type { Selection } from '../runner/selection.ts'
import { listChecks } from '../targets/targets.ts'
import type { Terminal } from './terminal.ts'

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  profile: { type: 'string' },
  rule: { type: 'string', multiple: true },
  tag: { type: 'string', multiple: true },
  check: { type: 'string', multiple: true },
  explain: { type: 'string' },
  baseline: { type: 'string' },
  concurrency: { type: 'string' },
  'report-json': { type: 'string' },
  'report-junit': { type: 'string' },
  'report-html': { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const CONFIGS: Readonly<Record<Target, string>> = {
  server: `A file whose default export describes the gateway (defineServerConfig), or
                         reference: starts the reference gateway itself, from the checkout in
                         GATEWAY_DIR, on DATABASE_URL or the embedded database`,
  client: `A file whose default export describes the adapter (defineClientConfig), or
                         sdk, python: the adapters that come with the suite`,
  receiver: `A file whose default export describes the receiver (defineReceiverConfig), or
                         sdk: the SDK's receiver kit, started by the suite`,
}

const usage = (target: Target): string => `Usage: gateway-conformance ${target} --config <config> [options]

  -c, --config <config>  ${CONFIGS[target]}
  --profile <profile>    core: what the specification demands; reference (default): the decisions too
  --rule <rule>          only checks of this rule (IDEM-03) or topic (IDEM); repeatable
  --tag <tag>            only checks with this tag or topic (race, idempotency); repeatable
  --check <id>           only this check; repeatable
  --explain <rule>       runs the checks of one rule or check and prints what went over the wire
  --baseline <file>      known failures: a YAML or JSON list of { check, reason }; stale entries fail
  --concurrency <n>      checks at once
  --report-json <file>   --report-junit <file>   --report-html <file>
  --list                 prints the selected checks and runs nothing
  -h, --help             prints this text

Exit codes: 0 conformant; 1 a MUST is broken or the baseline is stale; 2 wrong usage, or the system did not start.
`

/** Runs `gateway-conformance server|client|receiver`. @throws {UsageError} wrong usage. */
export async function runSuiteCommand(target: Target, args: readonly string[], terminal: Terminal): Promise<0 | 1> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  if (values.help) {
    terminal.print(usage(target))
    return 0
  }
  const selection = toSelection(values)
  if (values.list) {
    for (const check of await listChecks(target, selection)) terminal.print(`${describeLine(describeCheck(check))}\n`)
    return 0
  }
  if (values.config === undefined) throw new UsageError(`--config is missing.\n\n${usage(target)}`)
  const report = await runUnderVitest({
    ...selection,
    target,
    config: values.config,
    baseline: values.baseline === undefined ? [] : await readBaseline(values.baseline),
    keepTranscripts: values.explain !== undefined,
    ...(values.concurrency === undefined ? {} : { concurrency: toCount(values.concurrency) }),
    ...(values['report-junit'] === undefined ? {} : { junitFile: resolve(values['report-junit']) }),
  })
  await writeReport(values['report-json'], () => `${JSON.stringify(report, null, 2)}\n`)
  await writeReport(values['report-html'], () => renderHtml(report))
  printReport(report, values.explain !== undefined, terminal)
  return report.conformant ? 0 : 1
}

function printReport(report: SuiteReport, explain: boolean, terminal: Terminal): void {
  if (explain) for (const check of report.checks) terminal.print(`${renderExplanation(check)}\n`)
  terminal.print(renderSummary(report))
}

const describeLine = ({ id, level, profile, rules, title }: ReturnType<typeof describeCheck>): string =>
  `${id}  ${level} ${profile} [${rules.join(', ')}]  ${title}`

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

function toSelection({ profile, rule, tag, check, explain }: Values): Selection {
  if (profile !== undefined && profile !== 'core' && profile !== 'reference')
    throw new UsageError(`--profile must be core or reference, not ${profile}.`)
  const asRule = explain === undefined || explain.includes('/') ? [] : [explain]
  const asCheck = explain?.includes('/') ? [explain] : []
  const rules = [...(rule ?? []), ...asRule]
  for (const name of rules)
    if (!isRuleOrTopic(name)) throw new UsageError(`${name} is neither a rule nor a topic of rules.`)
  const checks = [...(check ?? []), ...asCheck]
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(checks.length === 0 ? {} : { checks }),
  }
}

const isRuleOrTopic = (name: string): boolean => RULES.has(name) || [...RULES.keys()].some((id) => topicOf(id) === name)

const toCount = (text: string): number => {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1)
    throw new UsageError(`--concurrency must be a positive integer, not ${text}.`)
  return count
}

async function readBaseline(file: string) {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The baseline ${file} cannot be read.`)
  })
  try {
    return parseBaseline(text)
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function writeReport(file: string | undefined, render: () => string): Promise<void> {
  if (file === undefined) return
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, render())
}
