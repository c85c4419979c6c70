import type { Hooks } from '../client/hooks.ts'
import type { ObservedCall, Told } from './observed-call.ts'

export type Observe = (operationId: string) => ObservedCall | Promise<ObservedCall>

const UNOBSERVED: ObservedCall = { send: (request, send) => send(request), end() {} }

/** What observes is loaded by who has hooks. */
export const observer = (hooks: Hooks, told: Told): Observe =>
  hooks.onRequest || hooks.onResponse || hooks.tracing
    ? async (operationId) => (await import('./observed-call.ts')).observeCall(hooks, operationId, told)
    : () => UNOBSERVED
