#!/usr/bin/env node
import { runCommand } from './command/run-command.ts'

// A reader such as `head` may close the pipe before the end; what it has read is all it wanted.
process.stdout.on('error', () => process.exit())

const exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  tell: (text) => process.stderr.write(text),
})
// Connections that a system under test left half open are nobody's any more.
process.exit(exitCode)
