import { signal } from '@preact/signals'

type Scheme = 'light' | 'dark'

const KEPT = 'console-scheme'
const system = matchMedia('(prefers-color-scheme: dark)')

const chosen = (): Scheme | null => {
  const kept = localStorage.getItem(KEPT)
  return kept === 'light' || kept === 'dark' ? kept : null
}

/** Light or dark: the user's choice, or the preference of the system. */
export const scheme = signal<Scheme>('light')

const apply = (): void => {
  scheme.value = chosen() ?? (system.matches ? 'dark' : 'light')
  document.documentElement.dataset.scheme = scheme.value
}

system.addEventListener('change', apply)
apply()

/** Switches the scheme. The system's preference is not stored, so that the page follows it again. */
export const toggleScheme = (): void => {
  const next = scheme.value === 'dark' ? 'light' : 'dark'
  if (next === (system.matches ? 'dark' : 'light')) localStorage.removeItem(KEPT)
  else localStorage.setItem(KEPT, next)
  apply()
}
