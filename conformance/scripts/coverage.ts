import { runCommand } from '../src/rule-coverage/coverage-command.ts'

// A reader such as `head` may close the pipe before the end; what it has read is all it wanted.
process.stdout.on('error', () => process.exit())

const { exitCode, stdout, stderr } = await runCommand(process.argv.slice(2))
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = exitCode
