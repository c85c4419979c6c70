import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { loadRuleList } from '../../openapi/src/rules.ts'
import { CONTRACTS, type Contract } from '../src/contract.ts'
import { DOCS, GENERATED } from '../src/folders.ts'
import { guideGroups, startNames, titleIn } from '../src/guide-groups.ts'
import { titleOf } from '../src/http/title.ts'
import { PROTOCOL } from '../src/pages/protocol-parts.ts'
import { topicLink, topicTitle } from '../src/rule-link.ts'

type Item = DefaultTheme.SidebarItem

const itemOf = (folder: string, name: string): Item => ({
  text: titleIn(join(DOCS, folder, `${name}.md`)),
  link: `/${folder}/${name}`,
})

const startItems = (): Item[] => startNames().map((name) => itemOf('start', name))

const guideItems = (): Item[] =>
  guideGroups().map(({ title, names }) => ({ text: title, items: names.map((name) => itemOf('guides', name)) }))

const contractItems = ({ folder, document }: Contract): Item[] => [
  ...(document.tags ?? []).map(({ name }) => ({ text: titleOf(name), link: `/${folder}/${name}` })),
  ...(folder === 'reference/http' ? [{ text: 'Events', link: `/${folder}/events` }] : []),
  { text: 'Objects', link: `/${folder}/objects/` },
]

const sdkItems = (): Item[] => {
  const file = join(GENERATED, 'sidebar.json')
  if (!existsSync(file))
    throw new Error(`${file} is missing: build the site with \`npm run docs:build\`, which generates it first.`)
  return JSON.parse(readFileSync(file, 'utf8')).sdk.map(withoutNestedButtons)
}

/** Folds only groups that have a link: the theme renders the others as a button with another button inside. */
const withoutNestedButtons = ({ collapsed, items, ...item }: Item): Item => ({
  ...item,
  ...(item.link === undefined || collapsed === undefined ? {} : { collapsed }),
  ...(items === undefined ? {} : { items: items.map(withoutNestedButtons) }),
})

const [http, admin, worker] = CONTRACTS.map(contractItems)

const BACKGROUND: Item[] = [
  { text: 'Errors', link: '/errors' },
  { text: 'State machines', link: '/state-machines' },
  { text: 'Limits', link: '/reference/limits' },
  { text: 'Settings', link: '/reference/settings' },
  { text: 'The protocol', link: '/protocol/' },
  { text: 'Rules', link: '/rules/' },
  { text: 'Decisions', link: '/decisions' },
  { text: 'Decisions by number', link: '/decisions-by-number' },
  { text: 'Deprecated', link: '/deprecated' },
  { text: 'Security', link: '/security' },
  { text: 'Changelog', link: '/changelog' },
]

const MAIN: Item[] = [
  { text: 'Start here', items: startItems() },
  { text: 'Guides', link: '/guides/' },
  ...guideItems(),
  { text: 'HTTP reference', link: '/reference/http/', collapsed: true, items: http ?? [] },
  { text: "Operator's API", link: '/reference/admin/', collapsed: true, items: admin ?? [] },
  { text: 'Worker API', link: '/reference/worker/', collapsed: true, items: worker ?? [] },
  { text: 'SDK reference', link: '/reference/sdk/' },
  { text: 'Background', items: BACKGROUND },
]

const PROTOCOL_ITEMS: Item[] = PROTOCOL.map(({ name, title }) => ({ text: title, link: `/protocol/${name}` }))

const RULES: Item[] = [
  { text: 'The protocol', link: '/protocol/', items: PROTOCOL_ITEMS },
  {
    text: 'Rules',
    link: '/rules/',
    items: [
      { text: 'Mutants', link: '/rules/mutants' },
      ...Object.entries(loadRuleList().topics).map(([topic, title]) => ({
        text: topicTitle(title),
        link: topicLink(topic),
      })),
    ],
  },
]

/** The SDK and the rules have separate sidebars, because they have hundreds of entries. */
export const sidebar: DefaultTheme.Sidebar = {
  '/reference/sdk/': [{ text: 'SDK reference', items: sdkItems() }],
  '/rules/': RULES,
  '/protocol/': RULES,
  '/': MAIN,
}

export const navigation: DefaultTheme.NavItem[] = [
  { text: 'Start', link: '/start/what-it-is', activeMatch: '^/start/' },
  { text: 'Guides', link: '/guides/', activeMatch: '^/guides/' },
  {
    text: 'Reference',
    activeMatch: '^/(reference/|errors|state-machines)',
    items: [
      { text: 'HTTP', link: '/reference/http/' },
      { text: "Operator's API", link: '/reference/admin/' },
      { text: 'Worker API', link: '/reference/worker/' },
      { text: 'SDK', link: '/reference/sdk/' },
      { text: 'Events', link: '/reference/http/events' },
      { text: 'Errors', link: '/errors' },
      { text: 'State machines', link: '/state-machines' },
      { text: 'Limits', link: '/reference/limits' },
      { text: 'Settings', link: '/reference/settings' },
    ],
  },
  { text: 'Protocol', link: '/protocol/', activeMatch: '^/(rules|protocol)/' },
  {
    text: 'Background',
    items: [
      { text: 'Decisions', link: '/decisions' },
      { text: 'Deprecated', link: '/deprecated' },
      { text: 'Security', link: '/security' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
]
