import { TextField } from './text-field.tsx'

/** A value that an operator enters before a change. */
export interface EntryField {
  readonly name: string
  readonly label: string
  readonly isRequired?: boolean
  /** The value that applies if the field is empty, or an example. */
  readonly placeholder?: string
  /** Values that are suggested while the operator types. */
  readonly suggestions?: readonly string[]
  /** The values of which the operator selects one, or several if `chosen` is set. */
  readonly options?: readonly string[]
  /** The initially selected options, if several can be selected. */
  readonly chosen?: readonly string[]
  /** Whether the field is shown, given the values entered so far. Default: always. */
  readonly isAsked?: (entered: FormData) => boolean
}

/** The fields of a form. The form itself reads their values. */
export const EntryFields = ({ fields, entered }: { fields: readonly EntryField[]; entered: FormData }) => (
  <div class="filters entries">
    {fields
      .filter(({ isAsked }) => isAsked?.(entered) ?? true)
      .map((field) => (
        <Entry key={field.name} field={field} />
      ))}
  </div>
)

const Entry = ({ field }: { field: EntryField }) => {
  const { name, label, options, chosen } = field
  if (options === undefined)
    return (
      <TextField
        label={label}
        name={name}
        required={field.isRequired === true}
        placeholder={field.placeholder}
        suggestions={field.suggestions}
      />
    )
  if (chosen === undefined)
    return (
      <label>
        <span>{label}</span>
        <select name={name}>
          {options.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
    )
  return (
    <fieldset>
      <legend>{label}</legend>
      {options.map((each) => (
        <label key={each} class="check">
          <input type="checkbox" name={name} value={each} defaultChecked={chosen.includes(each)} />
          <span>{each}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The value entered under a name, trimmed; empty if nothing was entered. Pure. */
export const textIn = (entered: FormData, name: string): string => {
  const value = entered.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** The members whose fields are not empty. Pure. */
export const membersIn = <Name extends string>(
  entered: FormData,
  names: readonly Name[],
): Partial<Record<Name, string>> => {
  const members: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const text = textIn(entered, name)
    if (text !== '') members[name] = text
  }
  return members
}
