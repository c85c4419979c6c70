import { constants } from 'node:os'
import { StartRefused } from './app/program.ts'
import { onSignal } from './app/signals.ts'
import { exit, standardError } from './runtime/standard-error.ts'

// Handle signals before loading the rest of the program: a container's process 1 ignores signals without a handler.
const [, , command, ...rest] = process.argv
const isServing = command !== 'admin' && command !== 'health' && command !== 'device'
onSignal((signal) => process.exit(isServing ? 0 : 128 + constants.signals[signal]))

const run = async (): Promise<void> => {
  if (command === 'admin') process.exitCode = await (await import('./admin-cli/main.ts')).runAdminCommand(rest)
  else if (command === 'health') process.exitCode = await (await import('./app/observe/health.ts')).runHealth(rest)
  else if (command === 'device') await (await import('./app/device-command.ts')).runDevice(rest)
  else await (await import('./app/serve.ts')).runServer()
}

run().catch((error: unknown) => {
  const message = error instanceof StartRefused ? error.message : error instanceof Error ? error.stack : error
  standardError.write(`${message}\n`)
  return exit(1)
})
