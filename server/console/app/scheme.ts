import { signal } from '@preact/signals'

type Scheme = 'light' | 'dark'

const STORAGE_KEY = 'console-scheme'
const system = matchMedia('(prefers-color-scheme: dark)')

const chosen = (): Scheme | null => {
  const kept = localStorage.getItem(STORAGE_KEY)
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

/** Switches the scheme. A choice that equals the system's preference is not stored, so the page follows the system. */
export const toggleScheme = (): void => {
  const next = scheme.value === 'dark' ? 'light' : 'dark'
  if (next === (system.matches ? 'dark' : 'light')) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, next)
  apply()
}
