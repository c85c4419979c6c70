import { signal } from '@preact/signals'

const message = signal<string | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined

const SHOWN_MS = 6000

/** Announces an outcome in a corner of the page and to screen readers. */
export const announce = (text: string): void => {
  clearTimeout(timer)
  message.value = text
  timer = setTimeout(() => {
    message.value = null
  }, SHOWN_MS)
}

export const Announcer = () => (
  <div class="announcer" role="status" aria-live="polite">
    {message.value !== null && <p>{message.value}</p>}
  </div>
)
