/** Suggestions for a text field, which refers to them by `list={id}`. */
export const Suggestions = ({ id, values }: { id: string; values: readonly string[] }) => (
  <datalist id={id}>
    {values.map((each) => (
      <option key={each} value={each} />
    ))}
  </datalist>
)
