/** Executes a run of a module, and prints what it streams; for tests that end this process. Arguments: file, input. */
import { createModuleHost } from '../../src/devices/isolation/module-host.ts'
import { systemTimers } from '../../src/runtime/timers.ts'
import { createRequest, inputOf } from './play-assistant.ts'

const [, , file = '', text = ''] = process.argv
const ignore = () => {}
const host = createModuleHost({
  directory: '.',
  environment: process.env,
  memoryMb: 64,
  leaseMs: 600_000,
  reloads: false,
  timers: systemTimers,
  log: { info: ignore, warn: ignore, error: ignore },
})
const input = inputOf({ text, data: null, resourceIds: [] })
for await (const step of host.assistant(file)(createRequest({ input })))
  process.stdout.write(`${JSON.stringify(step)}\n`)
