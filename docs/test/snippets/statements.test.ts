import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { OLDEST_NODE } from '../../../scripts/choose-node.mjs'
import { CALL_TIMES } from '../../../sdk/src/client/options.ts'
import { UNREACHABLE_MS } from '../../../sdk/src/transport/retry.ts'
import { EXIT_DEADLINE_MS } from '../../../server/src/app/serve.ts'
import { describeSettings } from '../../../server/src/app/settings/config.ts'
import { readDocuments } from './documents.ts'

/** Sentences of the guides that name a number of the code. Each must agree with the code. */

const documents = await readDocuments()
/** A text in one line: a sentence may be broken anywhere. */
const textOf = (path: string): string =>
  (documents.find((document) => document.path === path)?.text ?? '').replaceAll(/\s+/g, ' ')
const settings = new Map(describeSettings().map((setting) => [setting.name, setting]))

const oldestNode = OLDEST_NODE.join('.')
const oldestInstaller = manifest.engines.node.replace('>=', '')
const unreachable = `${UNREACHABLE_MS / 1000}`
const call = `${CALL_TIMES.timeoutMs / 1000}`
const exit = `${Math.ceil(EXIT_DEADLINE_MS / 1000)}`
const drainMs = Number(settings.get('GATEWAY_DRAIN_MS')?.default)

describe('a statement of the texts', () => {
  it.each([
    ['README.md', `You need npm and Node ${oldestNode} or later.`],
    ['README.md', `Node ${oldestInstaller} is enough to begin with`],
    ['docs/start/quickstart.md', `Node ${oldestNode} or later.`],
    ['docs/start/quickstart.md', `Node ${oldestInstaller} is enough to begin with`],
    ['docs/start/quickstart.md', `tries for a few seconds, ${unreachable} at most, and then throws a \`NotSentError\``],
    ['docs/start/quickstart.md', `For up to ${call} seconds`],
    ['docs/start/quickstart.md', `\`UnknownOutcomeError\` after ${call} seconds`],
    ['docs/guides/send-webhooks.md', `for up to ${call} seconds (\`timeoutMs\`)`],
    ['docs/guides/send-webhooks.md', `gives up after ${unreachable} seconds at most`],
    ['docs/guides/upgrade.md', `\`GATEWAY_DRAIN_MS\` (${drainMs / 1000} s)`],
    ['docs/guides/upgrade.md', `exits, within ${exit} seconds`],
    ['docs/guides/upgrade.md', `must wait ${exit} seconds longer than that`],
    ['docs/guides/upgrade.md', `| systemd | \`TimeoutStopSec\` | ${drainMs / 1000 + Number(exit)} s |`],
  ])('%s: %s', (path, sentence) => {
    expect(textOf(path)).toContain(sentence)
  })

  it('about the operator port names everything that is served there', () => {
    expect(settings.get('GATEWAY_OPERATOR_PORT')?.description).toContain('the admin API, the console and /metrics')
  })
})

/** The page that is tried in a browser is the one that the guide shows. */
it.each(['parts.tsx', 'page.tsx'])('the guide to what an assistant does shows examples/react-chat/%s', async (name) => {
  const guide = documents.find(({ path }) => path === 'docs/guides/show-what-the-assistant-does.md')
  const file = fileURLToPath(new URL(`../../../examples/react-chat/${name}`, import.meta.url))
  const shown = guide?.blocks.find(({ words }) => words.includes(`file=${name}`))
  expect(shown?.code).toBe(await readFile(file, 'utf8'))
})

/** The files that `npm run failover -- --patroni` tests are the ones that the guide shows. */
it.each(['etcd.env', 'patroni.yml', 'node.env'])('the guide to failover shows deploy/patroni/%s', async (name) => {
  const guide = documents.find(({ path }) => path === 'docs/guides/fail-over.md')
  const file = await readFile(fileURLToPath(new URL(`../../../deploy/patroni/${name}`, import.meta.url)), 'utf8')
  expect(guide?.blocks.map(({ code }) => code)).toContain(file)
})

/** The files that `deploy/test/cells.test.ts` tests are the ones that the guide shows parts of. */
it.each([
  ['nginx.conf', 'nginx'],
  ['haproxy.cfg', 'text'],
])('the guide beyond one database shows how deploy/cells/%s routes', async (name, language) => {
  const guide = documents.find(({ path }) => path === 'docs/guides/beyond-one-database.md')
  const file = await readFile(fileURLToPath(new URL(`../../../deploy/cells/${name}`, import.meta.url)), 'utf8')
  const shown = guide?.blocks.filter((block) => block.language === language).map(({ code }) => code) ?? []
  expect(shown).toHaveLength(1)
  expect(file).toContain(shown[0])
})
