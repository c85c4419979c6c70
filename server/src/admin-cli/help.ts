import { ADMIN_PROGRAM } from '../app/program.ts'
import type { AdminDocument, Command, Field } from './contract.ts'
import { isRecord } from './format-answer.ts'
import { hasNegative, hasOwnUrl } from './read-request.ts'

const COMMON = [
  ['--json', 'Print the answer as the gateway gave it.'],
  [
    '--url <origin>',
    'The gateway. Default: the first that is set of GATEWAY_OPERATOR_PORT (with GATEWAY_OPERATOR_HOST), GATEWAY_PUBLIC_URL and GATEWAY_BASE_URL; otherwise http://127.0.0.1 with GATEWAY_PORT (default 8787).',
  ],
  ['--help', 'Print this.'],
] as const

const TOKEN = `The token is GATEWAY_ADMIN_TOKEN. Without it, a gateway on this machine with the embedded database has stored one in
GATEWAY_DATA_DIR (default .data), which is used.
Exit code: 0 on success, 1 if the gateway refused or did not answer, 2 for wrong arguments.`

/** A group and its commands, under their full or their short names. */
export interface Group {
  readonly name: string
  readonly description: string
  readonly commands: ReadonlyMap<string, Command>
}

/** The contract's tags, then the groups that exist only in short names, such as `deliveries` in `deliveries list`. */
export const listGroups = (document: AdminDocument, commands: readonly Command[]): readonly Group[] => {
  const tags = document.tags.map(({ name, description }) => ({
    name,
    description,
    commands: new Map(
      commands.flatMap((command) => {
        if (command.group === name) return [[command.name, command] as const]
        return command.short?.group === name ? [[command.short.name, command] as const] : []
      }),
    ),
  }))
  const shortNames = [...new Set(commands.flatMap(({ short }) => short?.group ?? []))].filter(
    (name) => !tags.some((tag) => tag.name === name),
  )
  const collections = shortNames.map((name) => {
    const members = commands.filter(({ short }) => short?.group === name)
    return {
      name,
      description: `Short for ${members.map((command) => `${command.group} ${command.name}`).join(', ')}.`,
      commands: new Map(members.map((command) => [command.short?.name ?? command.name, command])),
    }
  })
  return [...tags, ...collections]
}

export const describeProgram = (document: AdminDocument, groups: readonly Group[]): string => `\
${document.info.summary}

Usage: ${ADMIN_PROGRAM} <group> <command> [<argument> …] [--<flag> …]

${groups
  .map(({ name, description, commands }) => `  ${name}: ${[...commands.keys()].join(', ')}\n      ${description}`)
  .join('\n')}

${columns([...COMMON, ['--version', 'Print the version of this program and of its gateway.']])}

${TOKEN}
`

export const describeGroup = ({ name, description, commands }: Group): string => `\
${description}

Usage: ${ADMIN_PROGRAM} ${name} <command>

${columns([...commands].map(([command, { summary }]) => [command, `${summary}.`]))}

For more, run ${ADMIN_PROGRAM} ${name} <command> --help.
`

export const describeCommand = (command: Command): string => {
  const { group, name, short, summary, description, body, query, pagination } = command
  const flags = [
    ...query.map(describeFlag),
    ...(body?.members ?? []).map(describeFlag),
    ...(body === null ? [] : [['--body <json>', BODY] as const]),
    ...(pagination === null ? [] : [['--all', 'Read all pages instead of one.'] as const]),
    ...COMMON.filter(([flag]) => !(hasOwnUrl(command) && flag.startsWith('--url'))),
  ]
  const args = command.arguments.map((field) => [`<${field.name}>`, describeField(field)] as const)
  const parts = [
    `${summary}. ${withoutDecisions(description)}`,
    `Usage: ${ADMIN_PROGRAM} ${group} ${name}${args.map(([arg]) => ` ${arg}`).join('')} [--<flag> …]${
      short === null ? '' : `\nShort: ${ADMIN_PROGRAM} ${short.group} ${short.name}`
    }`,
    ...(args.length === 0 ? [] : [columns(args)]),
    ...(body !== null && body.forms.length > 1 ? [describeForms(body)] : []),
    columns(flags),
    ...(hasOwnUrl(command)
      ? [`Put the address of the gateway before the command: ${ADMIN_PROGRAM} --url <origin> ${group} …`]
      : []),
    `For example:\n  ${ADMIN_PROGRAM} ${group} ${name}${exampleOf(command)
      .map((word) => ` ${quote(word)}`)
      .join('')}`,
  ]
  return `${parts.join('\n\n')}\n`
}

/** Removes decision numbers, which only the documentation explains. */
const withoutDecisions = (text: string): string => text.replaceAll(/ \(D-\d+(?:, D-\d+)*\)/g, '')

const BODY =
  'The body as a JSON object, or @ and the path of a file that contains it. Use a file for secrets, because other users of this machine can see arguments. Flags override members of the body.'

const describeForms = ({ forms, members }: NonNullable<Command['body']>): string =>
  `Either ${forms
    .map((form) =>
      members
        .filter(({ name }) => form.includes(name))
        .map(({ flag }) => `--${flag}`)
        .join(' with '),
    )
    .join(', or ')}.`

const describeFlag = (field: Field): readonly [string, string] => {
  const { flag, type } = field
  const value = type.kind === 'boolean' ? '' : ` <${VALUE_NAMES[type.kind]}>`
  return [`--${flag}${value}`, describeField(field)]
}

const VALUE_NAMES = { text: 'text', integer: 'n', number: 'n', list: 'a,b', json: 'json' } as const

const describeField = (field: Field): string => {
  const { description, required, type, flag } = field
  return [
    ...(description === '' ? [] : [withoutDecisions(description)]),
    ...(type.values === null ? [] : [`${type.kind === 'list' ? 'Any of' : 'One of'}: ${type.values.join(', ')}.`]),
    ...(hasNegative(field) ? [`--no-${flag} sets ${type.kind === 'boolean' ? 'false' : 'null'}.`] : []),
    ...(field.default === undefined ? [] : [`Default ${field.default}.`]),
    ...(required ? ['Required.'] : []),
  ].join(' ')
}

/** The arguments for the contract's first request example. */
export const exampleOf = ({ arguments: args, query, body }: Command): readonly string[] => [
  ...args.map(({ example }) => String(example)),
  ...query
    .filter(({ required, type }) => required || type.values !== null)
    .flatMap((field) => exampleFlag(field, field.example)),
  ...(body?.members ?? []).flatMap((field) =>
    isRecord(body?.example) && field.name in body.example ? exampleFlag(field, body.example[field.name]) : [],
  ),
]

const exampleFlag = ({ flag, type }: Field, value: unknown): readonly string[] => {
  if (value === null || value === false) return [`--no-${flag}`]
  if (type.kind === 'boolean') return [`--${flag}`]
  return [`--${flag}`, type.kind === 'json' ? JSON.stringify(value) : String(value)]
}

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

const TEXT_CHARACTERS = 100

/** Names on the left, wrapped texts on the right. */
const columns = (rows: readonly (readonly [string, string])[]): string => {
  const size = Math.max(...rows.map(([name]) => name.length))
  const indent = ' '.repeat(size + 4)
  return rows.map(([name, text]) => `  ${name.padEnd(size)}  ${wrap(text).join(`\n${indent}`)}`.trimEnd()).join('\n')
}

const wrap = (text: string): readonly string[] => {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > TEXT_CHARACTERS) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
