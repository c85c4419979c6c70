/**
 * Tries every fault many times and prints how much was lost or doubled: `node sdk/test/faults/main.ts [--rounds n]`.
 */
import { createFaultMatrix } from './matrix.ts'
import { READERS, runCancels } from './run-cancels.ts'
import { runExpiry } from './run-expiry.ts'
import { runOtherWrites } from './run-other-writes.ts'
import { DEATHS, runOutboxCrash } from './run-outbox-crash.ts'
import { runOutboxSteps } from './run-outbox-steps.ts'
import { runRecovery } from './run-recoveries.ts'
import { runRestart } from './run-restarts.ts'
import { runCreations, runReplay, runSends } from './run-sends.ts'
import { createFinishedConversation, runStreams } from './run-streams.ts'
import { runWatch } from './run-watches.ts'
import { runWorkers, sweepWorkers } from './run-workers.ts'
import { SEND_CASES } from './send-cases.ts'
import { STREAM_CASES } from './stream-cases.ts'
import { sweepAnswer, sweepStreamCuts, sweepStreamSplits } from './sweeps.ts'
import { openWorld } from './world.ts'

const HELP = `node sdk/test/faults/main.ts [--rounds n]

Each round tries every fault on writes and streams, and kills the gateway and a sender. Default: 10 rounds. The sweeps
over every byte run once. Exits with 1 if an admission or an event was lost or doubled.
`

const [option, count = ''] = process.argv.slice(2)
const rounds = option === undefined ? 10 : Number(count)
if (!(Number.isInteger(rounds) && rounds > 0 && (option === undefined || option === '--rounds'))) {
  process.stdout.write(HELP)
  process.exit(option === '--help' ? 0 : 2)
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const matrix = createFaultMatrix()
const world = await openWorld()
try {
  const finished = await createFinishedConversation(world, 3)
  const recorded = await createFinishedConversation(world, 1)
  say(`every byte of an answer, and of a stream of ${recorded.log.length} events`)
  await sweepAnswer(world, matrix, 'both')
  await sweepStreamCuts(world, matrix, recorded, 'both')
  await sweepStreamSplits(world, matrix, recorded)
  say(`${matrix.total().cases} cases`)
  say(`a sender killed at each of ${await runOutboxSteps(world, matrix, Number.POSITIVE_INFINITY)} steps`)
  say(`every byte of ${await sweepWorkers(world, matrix, 1)} answers to workers`)
  for (const sendCase of SEND_CASES) await runWorkers(world, matrix, sendCase)
  for (let round = 1; round <= rounds; round += 1) {
    for (const sendCase of SEND_CASES) {
      await runSends(world, matrix, sendCase, 5)
      await runCreations(world, matrix, sendCase, 2)
      await runOtherWrites(world, matrix, sendCase)
      await runRecovery(world, matrix, sendCase, 3)
    }
    for (const name of Object.keys(READERS)) await runCancels(world, matrix, name, finished)
    for (const streamCase of STREAM_CASES) {
      await runStreams(world, matrix, streamCase, finished)
      await runWatch(world, matrix, streamCase, await createFinishedConversation(world, 1))
    }
    await runReplay(world, matrix)
    await runExpiry(world, matrix)
    for (const death of DEATHS) await runOutboxCrash(world, matrix, death)
    await runRestart(world, matrix, 1 + ((round - 1) % 10))
    say(`round ${round} of ${rounds}`)
  }
} finally {
  await world.close()
}
const { cases, ...faults } = matrix.total()
say(matrix.table())
process.exit(cases > 0 && Object.values(faults).every((number) => number === 0) ? 0 : 1)
