import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { lostSince } from '../data/poll.ts'
import { overview, watchOverview } from '../data/samples.ts'
import { formatCount, formatDuration } from '../parts/format.ts'
import type { Tone } from '../parts/state-pill.tsx'
import { useNow } from '../parts/time.tsx'
import { session, signOut } from '../session.ts'
import { GoTo } from './go-to.tsx'
import { Mark } from './mark.tsx'
import { NAVIGATION } from './navigation.ts'
import { scheme, toggleScheme } from './scheme.ts'

/** The frame of every page: the navigation, and whether the gateway answers. */
export const Shell = ({ children }: { children: ComponentChildren }) => {
  const [path] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(watchOverview, [])
  useEffect(() => {
    setIsOpen(false)
    // Announces the new page to screen readers.
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
    scrollTo(0, 0)
  }, [path])
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <nav class="side" aria-label="Console" data-open={isOpen}>
        <div class="brand">
          <Mark />
          <span>Gateway</span>
          <button
            type="button"
            class="menu quiet"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setIsOpen(!isOpen)}
          >
            Menu
          </button>
        </div>
        <div id="menu" class="menu-body">
          <GoTo />
          {NAVIGATION.map(({ title, pages }) => (
            <section key={title}>
              <h2>{title}</h2>
              <ul>
                {pages.map(({ name, href, badge }) => (
                  <li key={href}>
                    <Link href={href} aria-current={isAt(path, href) ? 'page' : undefined}>
                      {name}
                      {badge !== undefined && overview.value !== null && (
                        <Badge tone={badge.tone} count={badge.count(overview.value)} />
                      )}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <div class="side-foot">
            <p class="muted small">
              {session.value?.self.name}, {session.value?.self.role}
            </p>
            <button type="button" class="quiet" onClick={toggleScheme}>
              {scheme.value === 'dark' ? 'Light mode' : 'Dark mode'}
            </button>
            <button type="button" class="quiet" onClick={() => signOut()}>
              Sign out
            </button>
          </div>
        </div>
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        <Connection />
        {children}
      </main>
    </div>
  )
}

const isAt = (path: string, href: string): boolean => (href === '/' ? path === '/' : path.startsWith(href))

const Badge = ({ tone, count }: { tone: Tone; count: number }) =>
  count > 0 ? <span class={`badge tone-${tone}`}>{formatCount(count)}</span> : null

/** Says that the shown data is outdated, while the gateway does not answer. */
const Connection = () => {
  const now = useNow()
  const since = lostSince.value
  return (
    <div role="status" aria-live="polite">
      {since !== null && (
        <p class="notice tone-bad connection">
          The gateway has not answered for {formatDuration(Math.max(1000, now - since))}. You see its last answer; the
          console keeps trying.
        </p>
      )}
    </div>
  )
}
