import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface PageProps {
  readonly title: string
  /** Beside the title. */
  readonly aside?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A page of the console: its title, its actions, and its content. */
export const Page = ({ title, aside, actions, children }: PageProps) => {
  useEffect(() => {
    document.title = `${title} · Conversation Gateway`
  }, [title])
  return (
    <>
      <header class="page-head">
        <h1>{title}</h1>
        {aside}
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

/** An error that concerns one part of the page. */
export const Problem = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="notice tone-bad" role="alert">
      {text}
    </p>
  )

/** The properties of a record, as names and values. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ?? '–'}</dd>
      </div>
    ))}
  </dl>
)
