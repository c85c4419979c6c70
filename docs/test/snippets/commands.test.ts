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

/** Commands of the gateway's own program, which is called like a group. */
const OF_THE_GATEWAY = ['gateway device', 'gateway health']

/** In blocks after `npm run -s admin --`, and in prose as separate code spans. */
const NAMED = new RegExp(`(?:admin -- |\`)((?:${groups.join('|')}) [a-z][a-z-]*)(?=[ \`\\n])`, 'g')

it('the texts name only existing operator commands', async () => {
  const named = (await readDocuments()).flatMap(({ path, text }) =>
    [...text.matchAll(NAMED)].map(([, command = '']) => ({ path, command })),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ command }) => !known.has(command) && !OF_THE_GATEWAY.includes(command))).toEqual([])
})
