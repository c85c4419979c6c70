import { signal } from '@preact/signals'

type Scheme = 'light' | 'dark'

const KEPT = 'console-scheme'
const system = matchMedia('(prefers-color-scheme: dark)')

const chosen = (): Scheme | null => {
  const kept = localStorage.getItem(KEPT)
  return kept === 'light' || kept === 'dark' ? kept : null
}

/** Light or dark: what was chosen here, or what the system prefers. */
export const scheme = signal<Scheme>('light')

const apply = (): void => {
  scheme.value = chosen() ?? (system.matches ? 'dark' : 'light')
  document.documentElement.dataset.scheme = scheme.value
}

system.addEventListener('change', apply)
apply()

/** The other one; the system's own is not kept, so that it is followed again. */
export const toggleScheme = (): void => {
  const next = scheme.value === 'dark' ? 'light' : 'dark'
  if (next === (system.matches ? 'dark' : 'light')) localStorage.removeItem(KEPT)
  else localStorage.setItem(KEPT, next)
  apply()
}
