#!/usr/bin/env node
import { refuseNode } from './node-version.ts'

// A reader such as `head` may close the pipe early, which is not an error.
process.stdout.on('error', () => process.exit())

const refusal = refuseNode(process.versions.node)
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`)
  process.exit(2)
}
// Imported after the check, because an older Node.js cannot load the other modules.
const { runCommand } = await import('./commands/run-command.ts')
const exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  log: (text) => process.stderr.write(text),
})
// Half-open connections to a system under test would keep the process alive.
process.exit(exitCode)
