/** Fails when a file of hand-written code is too long to be one concept: `node scripts/file-sizes.ts`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const MOST_LINES = 300
const GENERATED = /(^|\/)generated\//

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'])
const files = [...new Set(listed.toString().trim().split('\n'))].filter(
  (file) => !GENERATED.test(file) && existsSync(file),
)
const complaints = files.flatMap((file) => {
  const lines = readFileSync(file, 'utf8').split('\n').length - 1
  return lines > MOST_LINES
    ? [`${file} has ${lines} lines, more than ${MOST_LINES}: give its second concept a file.`]
    : []
})
for (const complaint of complaints) console.log(complaint)
console.log(`${files.length} files, ${complaints.length} too long`)
process.exitCode = complaints.length === 0 ? 0 : 1
