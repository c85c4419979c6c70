import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describeCheck } from '../kit/catalogue.ts'
import type { Target } from '../kit/check.ts'
import { UsageError } from '../kit/config/usage-error.ts'
import { messageOf } from '../kit/message-of.ts'
import { renderHtml } from '../report/html.ts'
import { renderJunit } from '../report/junit.ts'
import { renderMarkdown } from '../report/markdown.ts'
import type { SuiteReport } from '../report/suite-report.ts'
import { renderExplanation, renderSummary } from '../report/terminal.ts'
import { EXIT_CODES } from '../report/verdict.ts'
import { listChecks } from '../run/examination.ts'
import { runSuite } from '../run/run-suite.ts'
import { type Interrupts, listenForInterrupts } from './interrupts.ts'
import { noteFailures, readFailures } from './last-failures.ts'
import { createProgress } from './progress.ts'
import { parseSuiteCommand, type ReportFiles, type SuiteCommand, usageOf } from './suite-options.ts'
import type { Terminal } from './terminal.ts'
import { nextChange } from './watch.ts'

/**
 * Runs `gateway-conformance server|client|receiver|worker`.
 * @throws {UsageError} wrong usage.
 * @throws {SystemAbsentError} the system does not answer.
 */
export async function runSuiteCommand(target: Target, args: readonly string[], terminal: Terminal): Promise<number> {
  const command = await parseSuiteCommand(args)
  if (command.help) {
    terminal.print(usageOf(target))
    return 0
  }
  if (command.list) {
    const checks = await listChecks(target, command.selection)
    for (const check of checks) terminal.print(`${describeLine(describeCheck(check))}\n`)
    return 0
  }
  const { config } = command
  if (config === undefined) throw new UsageError(`--config is missing.\n\n${usageOf(target)}`)
  const interrupts = listenForInterrupts(terminal.log)
  try {
    return command.watch.length === 0
      ? await runOnce(target, config, command, { terminal, interrupts })
      : await runAndWatch(target, config, command, { terminal, interrupts })
  } finally {
    interrupts.release()
  }
}

interface CommandContext {
  readonly terminal: Terminal
  readonly interrupts: Interrupts
}

async function runOnce(
  target: Target,
  config: string,
  { selection, run, explain, onlyFailed, files }: SuiteCommand,
  { terminal, interrupts }: CommandContext,
): Promise<number> {
  const failed = onlyFailed ? { checks: await readFailures(target, config) } : {}
  const report = await runSuite({
    target,
    config,
    ...selection,
    ...failed,
    ...run,
    keepTranscripts: explain,
    signal: interrupts.signal,
    onProgress: createProgress(),
  })
  await noteFailures(target, config, report)
  await writeReports(report, files)
  if (explain) for (const check of report.checks) terminal.print(`${renderExplanation(check)}\n`)
  terminal.print(renderSummary(report))
  return exitCodeOf(report, interrupts)
}

const exitCodeOf = ({ judgement }: SuiteReport, interrupts: Interrupts): number =>
  interrupts.exitCode() ?? EXIT_CODES[judgement.verdict]

async function runAndWatch(
  target: Target,
  config: string,
  command: SuiteCommand,
  { terminal, interrupts }: CommandContext,
): Promise<number> {
  for (;;) {
    const code = await runOnce(target, config, command, { terminal, interrupts }).catch((error: unknown) => {
      // A server under development is unavailable at times.
      terminal.log(`${messageOf(error)}\n`)
      return 2
    })
    if (interrupts.signal.aborted) return code
    terminal.log(`Waiting for a change below ${command.watch.join(', ')}; Enter runs immediately, Ctrl-C exits.\n`)
    await nextChange(command.watch, interrupts.signal)
    if (interrupts.signal.aborted) return interrupts.exitCode() ?? code
  }
}

const RENDERERS = {
  json: (report: SuiteReport) => `${JSON.stringify(report, null, 2)}\n`,
  junit: renderJunit,
  html: renderHtml,
  markdown: renderMarkdown,
} as const satisfies Record<keyof ReportFiles, (report: SuiteReport) => string>

async function writeReports(report: SuiteReport, files: ReportFiles): Promise<void> {
  for (const kind of ['json', 'junit', 'html', 'markdown'] as const) {
    const file = files[kind]
    if (file === undefined) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, RENDERERS[kind](report))
  }
}

const describeLine = ({ id, level, profile, rules, title }: ReturnType<typeof describeCheck>): string =>
  `${id}  ${level} ${profile} [${rules.join(', ')}]  ${title}`
