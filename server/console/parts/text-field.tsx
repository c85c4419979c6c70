import type { InputHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'

type Attribute = 'name' | 'value' | 'placeholder' | 'required' | 'disabled' | 'onInput' | 'onChange'

interface TextFieldProps extends Pick<InputHTMLAttributes<HTMLInputElement>, Attribute> {
  readonly label: string
  readonly suggestions: readonly string[] | undefined
}

/** A text field with a label. It suggests values while the operator types. */
export const TextField = ({ label, suggestions = [], ...attributes }: TextFieldProps) => {
  const listId = useId()
  return (
    <label>
      <span>{label}</span>
      <input
        {...attributes}
        type="text"
        list={suggestions.length > 0 ? listId : undefined}
        autoComplete="off"
        spellcheck={false}
      />
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  )
}
