/** Pages of the reference by path. */
type Pages = Map<string, string>

/**
 * Adds entry points to the reference of the SDK: links to `createClient` and to each method of a client on its first
 * page, and links to the methods on the page of the client. Removes types that only compose the client.
 */
export const addEntryPoints = (pages: Pages): Pages => {
  const named = new Map([...pages].flatMap(([path, text]) => (isWiring(path) ? [] : [[path, withoutWiring(text)]])))
  for (const { wiring, page, title } of NAMESPACES) {
    const text = pages.get(wiring) ?? pages.get(page)
    if (text === undefined) throw new Error(`The reference of the SDK has neither ${wiring} nor ${page}.`)
    named.set(page, withoutWiring(text).replace(/^# .*$/m, `# ${title}`))
  }
  edit(named, 'sdk/index.md', (text) => text.replace(/^# sdk$/m, `# SDK reference\n\n${introduction(named)}`))
  edit(named, 'sdk/interfaces/GatewayClient.md', (text) => linkMembers(text, named))
  return named
}

/** Whether a page only composes the client, so that `addEntryPoints` removes it. */
export const isWiring = (path: string): boolean =>
  /\/(WatchedConversations|UploadedResources|FollowedOperations)(\.md)?$/.test(path)

const WIRED: Readonly<Record<string, string>> = {
  Conversations: 'WatchedConversations',
  Resources: 'UploadedResources',
}

/** The members of a client. The classes in `WIRED` extend a generated class. */
const NAMESPACES = ['Conversations', 'Messages', 'Runs', 'Endpoints', 'Operations', 'Resources'].map((name) => ({
  member: name.toLowerCase(),
  title: `client.${name.toLowerCase()}`,
  page: `sdk/client-methods/classes/${name}.md`,
  wiring: `sdk/client-methods/interfaces/${WIRED[name] ?? name}.md`,
}))

const edit = (pages: Pages, path: string, change: (text: string) => string): void => {
  const before = pages.get(path)
  const after = before === undefined ? undefined : change(before)
  if (after === undefined || after === before)
    throw new Error(`The reference of the SDK has no ${path}, or the page has an unexpected format.`)
  pages.set(path, after)
}

const withoutWiring = (text: string): string =>
  text
    .replaceAll(/(^|\n)#{2,4} (Inherited from|Overrides|Extends)\n\n[\s\S]*?(?=\n(?:#{1,4} |\*\*\*)|$)/g, '$1')
    .replaceAll(/interfaces\/WatchedConversations\.md/g, 'classes/Conversations.md')
    .replaceAll(/interfaces\/UploadedResources\.md/g, 'classes/Resources.md')
    .replaceAll(/interfaces\/FollowedOperations\.md/g, 'classes/Operations.md')
    .replaceAll(/\b(?:Watched(?=Conversations)|Uploaded(?=Resources)|Followed(?=Operations))/g, '')
    .replaceAll(/\n{3,}/g, '\n\n')

const methodsOf = (page: string): string[] => [...page.matchAll(/^### (\w+)\(\)/gm)].map(([, name = '']) => name)

const linksOf = (pages: Pages, member: string, page: string, from: string): string =>
  methodsOf(pages.get(page) ?? '')
    .map((name) => `[\`${member}.${name}\`](${from}${page.replace(/^sdk\//, '')}#${name.toLowerCase()})`)
    .join(' · ')

const introduction = (pages: Pages): string =>
  [
    'Begin with [`createClient`](functions/createClient.md), which takes its address, key and subject from [`ClientOptions`](interfaces/ClientOptions.md) or the environment. It returns a [`GatewayClient`](interfaces/GatewayClient.md):',
    [
      '| On the client | Methods |',
      '| --- | --- |',
      `| ask and follow | ${linksOf(pages, 'client', 'sdk/interfaces/GatewayClient.md', './')} |`,
      ...NAMESPACES.map(
        ({ member, title, page }) =>
          `| [${member}](${page.replace(/^sdk\//, '')}) | ${linksOf(pages, title, page, './')} |`,
      ),
    ].join('\n'),
    'Other entry points: [callbacks](callbacks/index.md) to receive, [webhooks](webhooks/index.md) to send, [worker](worker/index.md) to execute runs on other machines, [testing](testing/index.md) for an in-memory gateway, [outbox](outbox/index.md) to survive a crash, [ai-sdk](ai-sdk/index.md) for the Vercel AI SDK, [opentelemetry](opentelemetry/index.md) for traces, and [admin](admin/index.md) for operators.',
    'Everything that the package exports:',
  ].join('\n\n')

const linkMembers = (text: string, pages: Pages): string =>
  NAMESPACES.reduce(
    (done, { member, title, page }) =>
      done.replace(
        new RegExp(`(### ${member}\\n\\n\`\`\`ts\\n.*\\n\`\`\`\\n\\n[^\\n]*)`),
        (_, head: string) => `${head}\n\n${linksOf(pages, title, page, '../')}`,
      ),
    text,
  )
