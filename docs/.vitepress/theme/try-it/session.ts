/** The values that all forms share until the tab is closed. */
export interface Session {
  apiKey: string
  adminToken: string
  subject: string
  /** IDs and numbers from earlier answers, by member name, which prefill the next form. */
  known: Record<string, string>
}

/** The injection key of the session. */
export const SESSION_KEY = 'try-it-session'

const STORAGE_KEY = 'conversation-gateway-try-it'

export const NEW_SESSION: Session = { apiKey: '', adminToken: '', subject: 'customer-4711', known: {} }

/** The stored session of this tab; a new one if nothing is stored or the browser denies access to the storage. */
export const readSession = (): Session => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof kept === 'object' ? { ...NEW_SESSION, ...kept } : NEW_SESSION
  } catch {
    return NEW_SESSION
  }
}

/** Stores the values for this tab only, so that neither other sites nor later visits can read them. */
export const keepSession = (session: Session): void => {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(session))
  } catch {
    // The forms work without storage, too.
  }
}

/**
 * The key in the fragment of the URL that `npm start` prints (`#key=gk_…`); null without one. Browsers never send the
 * fragment, and the caller removes it from the address bar.
 */
export const keyInAddress = (hash: string): string | null => /^#key=(gk_[\w-]+)$/.exec(hash)?.[1] ?? null

const REUSED = ['conversation_id', 'run_id', 'operation_id', 'resource_id', 'message_id', 'generation'] as const

/** The members of an answer that a later request may need. */
export const knownFrom = (body: string): Record<string, string> => {
  try {
    const answer: unknown = JSON.parse(body)
    if (typeof answer !== 'object' || answer === null) return {}
    const members = new Map(Object.entries(answer))
    return Object.fromEntries(
      REUSED.flatMap((name) => {
        const value: unknown = members.get(name)
        return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
      }),
    )
  } catch {
    return {}
  }
}

/** The example body with the generation from an earlier answer. */
export const inGeneration = (body: string, generation: string | undefined): string =>
  generation === undefined ? body : body.replace(/("expected_generation": )\d+/, `$1${generation}`)
