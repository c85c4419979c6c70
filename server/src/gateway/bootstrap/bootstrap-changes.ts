import { isDeepStrictEqual } from 'node:util'

/** One change that a bootstrap file has made, without the value of any secret. */
export interface BootstrapChange {
  readonly kind: 'app' | 'key' | 'device' | 'endpoint' | 'webhook' | 'callback'
  readonly id: string
  /** `kept`: the file's secret was not stored, because the stored secret may be newer. */
  readonly change: 'created' | 'changed' | 'published' | 'kept'
  /** The changed members, by their names in the file; empty for created entries. */
  readonly fields: readonly string[]
  /** The version that was published. */
  readonly version?: number
  /** For a key whose scopes changed. */
  readonly scopes?: { readonly added: readonly string[]; readonly removed: readonly string[] }
}

/** Records each change. */
export type NoteChange = (change: BootstrapChange) => void

/** Names of the members that differ, as the file writes them. */
export const changedFields = <Entry extends object>(before: Entry, after: Entry): string[] =>
  Object.entries(after)
    .filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(before, name)))
    .map(([name]) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

export const changedScopes = (before: readonly string[], after: readonly string[]) => ({
  added: after.filter((scope) => !before.includes(scope)),
  removed: before.filter((scope) => !after.includes(scope)),
})
