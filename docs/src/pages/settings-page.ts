import { describeSettings } from '../../../server/src/app/settings/config.ts'
import { code, escapeHtml, page, prose } from '../markdown.ts'

/** Every setting of the gateway, with the text of `--help`. */
export const settingsPage = (): string =>
  page({ title: 'Settings', description: 'Every environment variable of the gateway, its default and its meaning.' }, [
    'The gateway reads environment variables when it starts, and reports all faults at once. `npm start -- --help` prints the same list. How to use them: [Operate the gateway](/guides/operate-the-gateway).',
    `<dl class="fields">\n${describeSettings().map(item).join('\n')}\n</dl>`,
  ])

const item = ({
  name,
  description,
  default: fallback,
  unit,
  secret,
}: ReturnType<typeof describeSettings>[number]): string => {
  const notes = [
    fallback === undefined ? 'no default' : fallback === '' ? 'default empty' : `default ${code(fallback)}`,
    ...(unit === undefined ? [] : [escapeHtml(unit)]),
    ...(secret === true ? ['secret: never shown or logged'] : []),
  ]
  return `<div><dt id="${name}">${code(name)} <span class="type">${notes.join(' · ')}</span></dt><dd>\n\n${prose(description)}\n\n</dd></div>`
}
