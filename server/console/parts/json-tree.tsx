/** Levels that are open at first. */
const OPEN_LEVELS = 2
/** Maximum members shown per level, so that one answer does not block the page. */
const MOST_MEMBERS = 200

/** A value of JSON as a tree whose inner levels are opened on request. */
export const JsonTree = ({ value }: { readonly value: unknown }) => (
  <div class="json-tree">
    {isBranch(value) ? <Members of={value} level={1} /> : <code>{JSON.stringify(value)}</code>}
  </div>
)

const isBranch = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

const Members = ({ of, level }: { readonly of: object; readonly level: number }) => {
  const members = Object.entries(of)
  return (
    <ul>
      {members.slice(0, MOST_MEMBERS).map(([name, value]) => (
        <li key={name}>
          {isBranch(value) ? (
            <details open={level < OPEN_LEVELS}>
              <summary>
                {name} <span class="muted">{sizeOf(value)}</span>
              </summary>
              <Members of={value} level={level + 1} />
            </details>
          ) : (
            <>
              {name} <code>{JSON.stringify(value)}</code>
            </>
          )}
        </li>
      ))}
      {members.length > MOST_MEMBERS && <li class="muted">{members.length - MOST_MEMBERS} more</li>}
    </ul>
  )
}

const sizeOf = (branch: object): string => {
  const count = Object.keys(branch).length
  return Array.isArray(branch)
    ? `${count} ${count === 1 ? 'entry' : 'entries'}`
    : `${count} ${count === 1 ? 'member' : 'members'}`
}
