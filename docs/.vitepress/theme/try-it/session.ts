/** What all forms share: entered once, it holds for every operation until the tab is closed. */
export interface Session {
  baseUrl: string
  apiKey: string
  adminToken: string
  subject: string
}

/** Under which the page provides the session to its forms. */
export const SESSION_KEY = 'try-it-session'

const STORAGE_KEY = 'conversation-gateway-try-it'

export const NEW_SESSION: Session = { baseUrl: '', apiKey: '', adminToken: '', subject: 'customer-4711' }

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
