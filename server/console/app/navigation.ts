import type { Overview } from '@conversation-gateway/sdk/admin'
import type { Tone } from '../parts/state-pill.tsx'

interface PageLink {
  readonly name: string
  readonly href: string
  /** The number of items that wait on that page. */
  readonly badge?: { readonly tone: Tone; readonly count: (now: Overview) => number }
}

/** The pages of the console, in groups. */
export const NAVIGATION: readonly { readonly title: string; readonly pages: readonly PageLink[] }[] = [
  {
    title: 'Now',
    pages: [
      { name: 'Overview', href: '/' },
      {
        name: 'Approvals',
        href: '/approvals',
        badge: { tone: 'warn', count: ({ approvals_pending }) => approvals_pending },
      },
    ],
  },
  {
    title: 'Work',
    pages: [
      { name: 'Runs', href: '/runs' },
      { name: 'Conversations', href: '/conversations' },
      {
        name: 'Deliveries',
        href: '/deliveries',
        badge: { tone: 'bad', count: ({ deliveries }) => deliveries.needs_action + deliveries.expired },
      },
      { name: 'Usage', href: '/usage' },
    ],
  },
  {
    title: 'Set up',
    pages: [
      { name: 'Devices', href: '/devices' },
      { name: 'Applications', href: '/apps' },
      { name: 'Integrations', href: '/integrations' },
    ],
  },
  {
    title: 'Access',
    pages: [
      { name: 'Operators', href: '/operators' },
      { name: 'Audit', href: '/audit' },
    ],
  },
]
