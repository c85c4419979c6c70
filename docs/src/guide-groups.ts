import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCS } from './folders.ts'

/** The pages under Start in reading order. Pages that are not listed here come last, sorted by file name. */
const START = ['what-it-is', 'quickstart', 'quickstart-curl']

/** The guides of each group in reading order. Guides that are not listed here come last, sorted by file name. */
const GUIDES = {
  'Build with it': [
    'send-and-stream',
    'chat-backend',
    'show-what-the-assistant-does',
    'resume-after-a-crash',
    'cancel-and-reset',
    'history-and-snapshots',
    'direct-runs',
    'attachments',
    'receive-callbacks',
    'callbacks-in-your-program',
    'send-webhooks',
    'receive-webhooks',
    'test-your-app',
    'bring-your-own-agent',
  ],
  'Run it': [
    'deploy',
    'operate-the-gateway',
    'applications-and-operators',
    'keep-and-erase',
    'operator-console',
    'watch',
    'alerts',
    'rotate-secrets',
    'upgrade',
    'back-up-and-restore',
    'fail-over',
    'several-machines',
    'capacity',
    'beyond-one-database',
    'write-an-assistant',
    'activities-and-data',
    'what-isolates-what',
    'devices-elsewhere',
  ],
  'Implement it': ['check-your-own'],
}
/** The group of guides that are not listed above. */
const OTHERS = 'Run it'

/** The names of the texts in a folder, without their extension. */
export const textsIn = (folder: string): string[] =>
  readdirSync(join(DOCS, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .sort()

/** The pages under Start in reading order. */
export const startNames = (): string[] => [...new Set([...START, ...textsIn('start')])]

/** Guides for the same kind of reader. */
export interface GuideGroup {
  readonly title: string
  readonly names: readonly string[]
}

export const guideGroups = (): GuideGroup[] => {
  const named = new Set(Object.values(GUIDES).flat())
  const others = textsIn('guides').filter((name) => !named.has(name))
  return Object.entries(GUIDES).map(([title, names]) => ({
    title,
    names: [...names, ...(title === OTHERS ? others : [])],
  }))
}

/** The title of a text: that of its front matter, or its first heading. */
export const titleIn = (file: string): string => {
  const text = readFileSync(file, 'utf8')
  const title = /^---\n[\s\S]*?^title: *(.+)$[\s\S]*?^---$/m.exec(text)?.[1] ?? /^# (.+)$/m.exec(text)?.[1] ?? file
  return title.trim().replace(/^(["'])(.*)\1$/, '$2')
}
