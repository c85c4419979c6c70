import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Implementation, parseSubmission, type Submission } from '../report/submission.ts'

/** A run of the suite that was submitted: a line in the history of an implementation. */
export interface Result
  extends Pick<Submission['report'], 'target' | 'profile' | 'conformant' | 'suiteVersion' | 'sha256'> {
  readonly implementation: Implementation
  /** What was examined, in the words of the report: `the reference gateway on PostgreSQL`. */
  readonly subject: string
  /** Name of the requirement set; null where every check counted. */
  readonly requirements: string | null
  /** When the run began: ISO 8601 in UTC. */
  readonly startedAt: string
  readonly durationMs: number
  readonly passed: number
  readonly failed: number
  readonly untestable: number
  /** Below the folder of results. */
  readonly file: string
}

export interface Submitted {
  readonly file: string
  readonly submission: Submission
}

/** Every submission below a folder. @throws {Error} that names a file which is none. */
export async function readSubmissions(folder: string): Promise<Submitted[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.json$/.test(file)).toSorted()
  return Promise.all(
    files
      .filter((file) => !file.endsWith('.schema.json'))
      .map(async (file) => {
        const submission = parseSubmission(await readFile(join(folder, file), 'utf8'))
        if (submission === null) throw new Error(`${file} is no submission that report submit wrote.`)
        return { file, submission }
      }),
  )
}

/** The results below a folder as rows of a page: by implementation, target and profile, the newest first. */
export async function listResults(folder: string): Promise<Result[]> {
  const results = (await readSubmissions(folder)).map(toResult)
  const orderOf = (result: Result): string =>
    [result.implementation.name, result.target, result.profile, result.subject].join('\n')
  return results.toSorted(
    (a, b) => orderOf(a).localeCompare(orderOf(b), 'en') || b.startedAt.localeCompare(a.startedAt, 'en'),
  )
}

function toResult({ file, submission: { implementation, report } }: Submitted): Result {
  const { target, profile, subject, conformant, requirements, suiteVersion, sha256, startedAt, durationMs } = report
  const count = (status: string): number => report.checks.filter((check) => check.status === status).length
  return {
    implementation,
    ...{ target, profile, subject, conformant, suiteVersion, sha256, startedAt, durationMs, file },
    requirements: requirements?.name ?? null,
    passed: count('passed'),
    failed: count('failed') + count('known'),
    untestable: count('untestable'),
  }
}
