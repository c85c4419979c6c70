#!/usr/bin/env node
import { refuseNode } from './node-version.ts'

// A reader such as `head` may close the pipe before the end; what it has read is all it wanted.
process.stdout.on('error', () => process.exit())

const refusal = refuseNode(process.versions.node)
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`)
  process.exit(2)
}
// Loaded only now: an older Node.js does not even link the rest.
const { runCommand } = await import('./commands/run-command.ts')
const exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  tell: (text) => process.stderr.write(text),
})
// Connections that a system under test left half open are nobody's any more.
process.exit(exitCode)
