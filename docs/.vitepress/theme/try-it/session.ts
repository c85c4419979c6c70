/** What all forms share: entered once, it holds for every operation until the tab is closed. */
export interface Session {
  apiKey: string
  adminToken: string
  subject: string
  /** IDs and numbers of the answers so far, by member: the next form begins with them. */
  known: Record<string, string>
}

/** Under which the page provides the session to its forms. */
export const SESSION_KEY = 'try-it-session'

const STORAGE_KEY = 'conversation-gateway-try-it'

export const NEW_SESSION: Session = { apiKey: '', adminToken: '', subject: 'customer-4711', known: {} }

/** What this tab has kept; a browser that keeps nothing begins anew. */
export const readSession = (): Session => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof kept === 'object' ? { ...NEW_SESSION, ...kept } : NEW_SESSION
  } catch {
    return NEW_SESSION
  }
}

/** Keeps the values in this tab, where no other site and no later visit reads them. */
export const keepSession = (session: Session): void => {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(session))
  } catch {
    // A browser that keeps nothing still sends requests.
  }
}

/**
 * The key that the address brings along (`#key=gk_…`), as `npm start` prints it; null without one. What follows the `#` is
 * sent to nobody, and the caller takes it out of the address.
 */
export const keyInAddress = (hash: string): string | null => /^#key=(gk_[\w-]+)$/.exec(hash)?.[1] ?? null

const CARRIED = ['conversation_id', 'run_id', 'operation_id', 'resource_id', 'message_id', 'generation'] as const

/** What an answer says that a later request may need. */
export const knownFrom = (body: string): Record<string, string> => {
  try {
    const answer: unknown = JSON.parse(body)
    if (typeof answer !== 'object' || answer === null) return {}
    const members = new Map(Object.entries(answer))
    return Object.fromEntries(
      CARRIED.flatMap((name) => {
        const value: unknown = members.get(name)
        return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
      }),
    )
  } catch {
    return {}
  }
}

/** The example of a body, in the generation that an earlier answer named. */
export const inGeneration = (body: string, generation: string | undefined): string =>
  generation === undefined ? body : body.replace(/("expected_generation": )\d+/, `$1${generation}`)
