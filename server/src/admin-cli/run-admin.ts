import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { LIMITS } from '@conversation-gateway/openapi/generated/limits'
import { ADMIN_PROGRAM } from '../app/program.ts'
import { closestName } from '../app/settings/closest-name.ts'
import type { Environment } from '../app/settings/environment.ts'
import { VERSION } from '../runtime/version.ts'
import type { Connection } from './connection.ts'
import { readConnection } from './connection.ts'
import type { Command } from './contract.ts'
import { ADMIN_DOCUMENT, listCommands } from './contract.ts'
import { formatRecord, formatTable, isRecord } from './format-answer.ts'
import { formatProblem } from './format-problem.ts'
import type { Group } from './help.ts'
import { describeCommand, describeGroup, describeProgram, listGroups } from './help.ts'
import { itemsOf, listAll } from './list-all.ts'
import { firstPositional, readFlags } from './read-flags.ts'
import type { AdminRequest, CommonFlags } from './read-request.ts'
import { COMMON_SHAPES, readCommon, readRequest } from './read-request.ts'
import type { AdminAnswer } from './send-request.ts'
import { NoAnswer, sendRequest } from './send-request.ts'
import type { Terminal } from './terminal.ts'

export interface AdminOptions {
  /** The arguments after `admin`. */
  readonly args: readonly string[]
  readonly environment: Environment
  readonly terminal: Terminal
  /** The folder in which the gateway runs. GATEWAY_DATA_DIR is relative to it. */
  readonly directory: string
}

const DONE = 0
const REFUSED = 1
const MISUSED = 2

/** The command line was wrong; the message says how to fix it. */
class Misuse extends Error {}

/**
 * The command line over the operator API (D-46): each operation of its contract is a command.
 * @returns the exit code: 0 on success, 1 if the gateway refused or did not answer, 2 for wrong arguments.
 */
export const runAdmin = async (options: AdminOptions): Promise<number> => {
  const { terminal } = options
  try {
    return await run(options)
  } catch (error) {
    if (!(error instanceof Misuse || error instanceof NoAnswer)) throw error
    terminal.printError(`${terminal.paint('red', 'Error:')} ${error.message}\n`)
    return error instanceof Misuse ? MISUSED : REFUSED
  }
}

const run = async ({ args, environment, terminal, directory }: AdminOptions): Promise<number> => {
  const commands = listCommands(ADMIN_DOCUMENT)
  const groups = listGroups(ADMIN_DOCUMENT, commands)
  const help = (text: string): number => {
    terminal.print(text)
    return DONE
  }

  if (args.length === 1 && args[0] === '--version') return help(`${VERSION}\n`)
  const [before, words] = takeCommon(args, ADMIN_PROGRAM)
  const isNested = groups.some(({ name }) => name === words.slice(0, 2).join(' '))
  const [groupName, ...groupArgs] = isNested ? [words.slice(0, 2).join(' '), ...words.slice(2)] : words
  if (groupName === undefined) {
    if (before.help) return help(describeProgram(ADMIN_DOCUMENT, groups))
    throw new Misuse(`a group and a command are missing.\n\n${describeProgram(ADMIN_DOCUMENT, groups)}`)
  }
  const group = groups.find(({ name }) => name === groupName)
  if (group === undefined) throw new Misuse(unknownGroup(groupName, groups))

  const [between, [commandName, ...commandArgs]] = takeCommon(groupArgs, `${ADMIN_PROGRAM} ${groupName}`)
  if (commandName === undefined) {
    if (before.help || between.help) return help(describeGroup(group))
    throw new Misuse(`a command is missing.\n\n${describeGroup(group)}`)
  }
  const command = group.commands.get(commandName)
  if (command === undefined) throw new Misuse(unknownCommand(commandName, group))

  // npm runs scripts in the folder of the package. INIT_CWD is the folder in which the user called npm.
  const callersFolder = environment.INIT_CWD || process.cwd()
  const reading = await readRequest(command, commandArgs, (path) => readFile(resolve(callersFolder, path), 'utf8'))
  const common = [before, between, reading.common]
  if (common.some((flags) => flags.help)) return help(describeCommand(command))
  if (reading.faults.length > 0)
    throw new Misuse(listFaults(reading.faults, `${ADMIN_PROGRAM} ${groupName} ${commandName}`))

  const url = common.findLast((flags) => flags.url !== null)?.url ?? null
  const found = await readConnection(url, environment, directory)
  if ('fault' in found) throw new Misuse(found.fault)
  const answer = await call(found.connection, command, reading.request, reading.all)
  if (answer.status >= 300) {
    terminal.printError(terminal.paint('red', formatProblem(answer, found.connection.origin, command)))
    return REFUSED
  }
  if (common.some((flags) => flags.json)) terminal.print(`${answer.text}\n`)
  else printAnswer(answer, command, reading.request, reading.all, terminal)
  return DONE
}

/** The common flags at the beginning, and the remaining arguments. */
const takeCommon = (args: readonly string[], program: string): readonly [CommonFlags, readonly string[]] => {
  const end = firstPositional(args, COMMON_SHAPES)
  const flags = readFlags(args.slice(0, end), COMMON_SHAPES)
  if (flags.faults.length > 0) throw new Misuse(listFaults(flags.faults, program))
  return [readCommon(flags.values), args.slice(end)]
}

const call = (connection: Connection, command: Command, request: AdminRequest, all: boolean): Promise<AdminAnswer> => {
  const send = (page: AdminRequest): Promise<AdminAnswer> => sendRequest(connection, page)
  return all && command.pagination !== null ? listAll(send, request, command.pagination) : send(request)
}

const printAnswer = (
  { body, text }: AdminAnswer,
  { pagination, query: parameters }: Command,
  { query }: AdminRequest,
  all: boolean,
  { print, printError, width, paint }: Terminal,
): void => {
  if (pagination === null) {
    print(isRecord(body) ? formatRecord(body, { width, paint }) : `${text}\n`)
    return
  }
  const records = itemsOf(body, pagination)
  const last = records.at(-1)
  if (last === undefined) {
    print(
      `No ${query[pagination.cursor.query] === undefined ? '' : 'more '}${pagination.items.replaceAll('_', ' ')}.\n`,
    )
    return
  }
  const table = formatTable(records, { id: pagination.cursor.field, width, paint })
  print(table.text)
  if (table.hidden.length > 0) printError(`\nNot shown: ${table.hidden.join(', ')}. --json shows everything.\n`)
  const limit = Number(
    query[pagination.limit] ?? parameters.find(({ name }) => name === pagination.limit)?.default ?? LIMITS.pageRecords,
  )
  if (!all && records.length >= Math.min(limit, LIMITS.pageRecords))
    printError(`\nOlder ones: --${pagination.cursor.query} ${String(last[pagination.cursor.field])}, or --all.\n`)
}

const unknownGroup = (name: string, groups: readonly Group[]): string => {
  const names = groups.map((group) => group.name)
  return `there is no group “${name}”.${meant(name, names)} The groups are ${names.join(', ')}.`
}

const unknownCommand = (name: string, group: Group): string => {
  const names = [...group.commands.keys()]
  return `${group.name} has no command “${name}”.${meant(name, names)} It has ${names.join(', ')}.`
}

const meant = (name: string, known: readonly string[]): string => {
  const closest = closestName(name, known)
  return closest === null ? '' : ` Did you mean ${closest}?`
}

const listFaults = (faults: readonly string[], program: string): string =>
  `${faults.length === 1 ? faults[0] : `\n${faults.map((fault) => `  ${fault}`).join('\n')}`}\nFor more, run ${program} --help.`
