import { expect, it } from 'vitest'
import { ADMIN_DOCUMENT, listCommands } from '../../../server/src/admin-cli/contract.ts'
import { readDocuments } from './documents.ts'

const commands = listCommands(ADMIN_DOCUMENT).flatMap(({ group, name, short }) => [
  { group, name },
  ...(short === null ? [] : [short]),
])
const known = new Set(commands.map(({ group, name }) => `${group} ${name}`))
/** The longest first: `devices keys` is a group beside `devices`. */
const groups = [...new Set(commands.map(({ group }) => group))].sort((a, b) => b.length - a.length)

/** Commands of the program `gateway`. The pattern finds them because `gateway` is also a group of operator commands. */
const OF_THE_GATEWAY = ['gateway device', 'gateway health']

/** Finds commands after `npm run -s admin --` in blocks, and as separate code spans in prose. */
const NAMED = new RegExp(`(?:admin -- |\`)((?:${groups.join('|')}) [a-z][a-z-]*)(?=[ \`\\n])`, 'g')

it('the texts name only existing operator commands', async () => {
  const named = (await readDocuments()).flatMap(({ path, text }) =>
    [...text.matchAll(NAMED)].map(([, command = '']) => ({ path, command })),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ command }) => !known.has(command) && !OF_THE_GATEWAY.includes(command))).toEqual([])
})
