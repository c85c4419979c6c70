import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { announce } from '../parts/announcer.tsx'

/** The page of a record, by the prefix of its ID. */
const PAGES: readonly (readonly [prefix: string, page: string])[] = [
  ['run_', '/runs/'],
  ['conv_', '/conversations/'],
  ['dlv_', '/deliveries/'],
  ['app_', '/apps/'],
  ['dev_', '/devices/'],
]

/** A subject of an application, which can be any text: `shop/customer-4711`. */
const SUBJECT = /^([\w-]{1,64})\/(.+)$/

const addressOf = (text: string): string | null => {
  const [, app, subject] = SUBJECT.exec(text) ?? []
  if (app !== undefined && subject !== undefined)
    return `/conversations?app_id=${app}&subject=${encodeURIComponent(subject)}`
  const page = PAGES.find(([prefix]) => text.startsWith(prefix))?.[1]
  return page === undefined ? null : `${page}${encodeURIComponent(text)}`
}

/** Opens the page of an ID, or the conversations of a subject; the key `/` focuses this field. */
export const GoTo = () => {
  const field = useRef<HTMLInputElement>(null)
  const [, navigate] = useLocation()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const submit = (event: Event): void => {
    event.preventDefault()
    const id = field.current?.value.trim() ?? ''
    if (id === '') return
    const address = addressOf(id)
    if (address === null) {
      const prefixes = PAGES.map(([prefix]) => prefix).join(', ')
      announce(
        `There is no page for ${id}. IDs begin with ${prefixes}; a subject follows its application: app_shop/customer.`,
      )
      return
    }
    if (field.current !== null) field.current.value = ''
    navigate(address)
  }
  return (
    <search class="go-to">
      <form onSubmit={submit}>
        <label class="visually-hidden" for="go-to">
          Go to
        </label>
        <input
          ref={field}
          id="go-to"
          type="search"
          placeholder="ID, or app/subject"
          autoComplete="off"
          spellcheck={false}
        />
      </form>
    </search>
  )
}
