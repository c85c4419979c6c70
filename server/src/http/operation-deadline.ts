import type { OperationInfo } from '@conversation-gateway/openapi/generated/operations'
import { DatabaseUnavailable } from '../store/db.ts'
import { takesStream } from './requests/body.ts'

/** Ends the wait for an operation at its deadline; what the operation does afterwards is nobody's answer. */
export type WithinDeadline = <Outcome>(operation: Promise<Outcome>) => Promise<Outcome>

const UNBOUNDED: WithinDeadline = (operation) => operation

/**
 * The deadline of an operation of the public API. One that takes or gives bytes for as long as its client likes has
 * none, nor have those of the operator: each of their statements has one.
 */
export const createWithinDeadline = (info: OperationInfo, deadlineMs: number): WithinDeadline => {
  if (info.security !== 'apiKey' || info.stream !== null || takesStream(info)) return UNBOUNDED
  const outcome = info.method === 'GET' ? 'none' : 'unknown'
  return (operation) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new DatabaseUnavailable(`no outcome within ${deadlineMs} ms`, { outcome }))
      }, deadlineMs)
      operation.finally(() => clearTimeout(timer)).then(resolve, reject)
    })
}
