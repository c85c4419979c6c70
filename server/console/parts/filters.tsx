import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useSearchParams } from 'wouter-preact'
import { asWords } from './format.ts'
import { TextField } from './text-field.tsx'

/** The filters of a list. They are in the URL, so that operators can save and share them. */
export const useFilters = <Name extends string>(
  names: readonly Name[],
): readonly [values: Partial<Record<Name, string>>, set: (name: Name, value: string) => void] => {
  const [search, setSearch] = useSearchParams()
  const values: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = search.get(name)
    if (value !== null && value !== '') values[name] = value
  }
  const set = (name: Name, value: string): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return [values, set]
}

/** The breakpoint of the style sheet. On narrower screens, open filters would leave no space for their results. */
const ROOM_PX = 760

export const FilterBar = ({ children }: { children: ComponentChildren }) => (
  <details class="filter-box" open={innerWidth > ROOM_PX}>
    <summary>Filters</summary>
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  </details>
)

interface ChoiceProps {
  readonly label: string
  readonly value: string | undefined
  /** Values, with a separate text if the value alone is not clear. */
  readonly options: readonly (string | readonly [value: string, text: string])[]
  /** One of the values is always selected. */
  readonly isRequired?: boolean
  readonly onChoose: (value: string) => void
}

/** A filter for one of several values, or for all. */
export const Choice = ({ label, value, options, isRequired = false, onChoose }: ChoiceProps) => (
  <label>
    <span>{label}</span>
    <select value={value ?? ''} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {!isRequired && <option value="">all</option>}
      {options.map((option) => {
        const [each, text] = typeof option === 'string' ? [option, asWords(option)] : option
        return (
          <option key={each} value={each}>
            {text}
          </option>
        )
      })}
    </select>
  </label>
)

interface WordProps {
  readonly label: string
  readonly value: string | undefined
  readonly placeholder?: string
  /** Values that are suggested while the operator types. */
  readonly suggestions?: readonly string[]
  /** Whether it accepts no value, because another filter that it needs is not set. */
  readonly isDisabled?: boolean
  readonly onEnter: (value: string) => void
}

/** A filter for a typed value. It applies when the field loses focus or Enter is pressed. */
export const Word = ({ label, value, placeholder, suggestions, isDisabled = false, onEnter }: WordProps) => {
  // Keeps the typed text, because each poll of the list renders the page again, also while an operator is typing.
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      label={label}
      value={typed ?? value ?? ''}
      placeholder={placeholder ?? 'any'}
      disabled={isDisabled}
      suggestions={suggestions}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => {
        onEnter(currentTarget.value.trim())
        setTyped(null)
      }}
    />
  )
}

/** Maximum number of suggestions of a filter. */
const MOST_SUGGESTIONS = 50

/** The distinct values of the loaded rows, sorted. Pure. */
export const suggestFrom = <Item,>(
  items: readonly Item[],
  read: (item: Item) => string | null | undefined,
): readonly string[] => {
  const values = items.flatMap((item) => read(item) ?? [])
  return [...new Set(values)].sort().slice(0, MOST_SUGGESTIONS)
}
