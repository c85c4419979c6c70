import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { tell } from '../parts/announcer.tsx'

/** Pages of things, by how their IDs begin. */
const PAGES: readonly (readonly [prefix: string, page: string])[] = [
  ['run_', '/runs/'],
  ['conv_', '/conversations/'],
  ['dlv_', '/deliveries/'],
  ['app_', '/apps/'],
  ['dev_', '/devices/'],
]

/** Goes to whatever an ID names; `/` brings the cursor here from anywhere. */
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
    const page = PAGES.find(([prefix]) => id.startsWith(prefix))?.[1]
    if (page === undefined) {
      tell(`There is no page for ${id}. IDs begin with ${PAGES.map(([prefix]) => prefix).join(', ')}.`)
      return
    }
    if (field.current !== null) field.current.value = ''
    navigate(`${page}${encodeURIComponent(id)}`)
  }
  return (
    <search class="go-to">
      <form onSubmit={submit}>
        <label class="visually-hidden" for="go-to">
          Go to an ID
        </label>
        <input ref={field} id="go-to" type="search" placeholder="Go to an ID" autoComplete="off" spellcheck={false} />
      </form>
    </search>
  )
}
