import type { Mutant } from '../mutant.ts'

/** The places in the gateway for common kinds of faults. The fault itself is given as source text. */
type Place = Pick<Mutant, 'file' | 'find' | 'replace'>

/**
 * Changes answers before they are sent. `change` has statements about `body`, and about `answered`, which has `kind`
 * and `status`.
 */
export const inAnswers = (operations: readonly string[], change: string): Place => ({
  file: 'server/src/http/routes.ts',
  find: '          answerOutcome(reply, info, outcome)\n',
  replace: `          if (!${JSON.stringify(operations)}.includes(info.operationId) || !('body' in outcome || 'json' in outcome))
            return answerOutcome(reply, info, outcome)
          const answered = { ...outcome }
          let body = 'json' in outcome ? JSON.parse(outcome.json) : structuredClone(outcome.body)
          ${change}
          if ('json' in answered) answered.json = JSON.stringify(body)
          else answered.body = body
          answerOutcome(reply, info, answered)
`,
})

/** Answers operations with a status other than the contract's. */
export const inStatus = (operations: readonly string[], status: number): Place =>
  inAnswers(operations, `Object.assign(answered, { kind: 'admitted', status: ${status}, replayed: false })`)

/** Changes the contract's rules for requests. `change` has statements about its `schemas` and `parameters`. */
export const inContract = (change: string): Place => ({
  file: 'server/src/domain/contract/validators.ts',
  find: '  const located = withAbsoluteReferences(document)\n',
  replace: `  const located = withAbsoluteReferences(document)
  const { schemas, parameters } = located.components
  if (schemas.SendMessage !== undefined) { ${change} }
`,
})

/** Changes the contract's rules for operators' requests. `change` has statements about its `schemas`. */
export const inOperatorContract = (change: string): Place => ({
  ...inContract(''),
  replace: `  const located = withAbsoluteReferences(document)
  const { schemas } = located.components
  if (schemas.CreateDevice !== undefined) { ${change} }
`,
})

/** Answers refusals with the code `instead`. `code` is one code, or several separated by `|`. */
export const inRefusals = (code: string, instead: string): Place => ({
  file: 'server/src/http/answers/problem.ts',
  find: '  const { code, detail, outcome, faults, hasMoreFaults = false } = refusal\n',
  replace: `  const { detail, outcome, faults, hasMoreFaults = false } = refusal
  const code = /^(?:${code})$/.test(refusal.code) ? '${instead}' : refusal.code
`,
})

/** Changes the bodies of requests to an operation before validation. `change` has statements about `json`. */
export const inRequests = (operation: string, change: string): Place => ({
  file: 'server/src/http/requests/read-request.ts',
  find: '    const body = readBody(request)\n',
  replace: `    if (info.operationId === '${operation}' && Buffer.isBuffer(request.body)) {
      const json = JSON.parse(String(request.body))
      ${change}
      request.body = Buffer.from(JSON.stringify(json))
    }
    const body = readBody(request)
`,
})

/** A statement for {@link inAnswers}: refuses the request as if the record were unknown. */
export const REFUSE_AS_UNKNOWN =
  "return sendRefusal(reply, { kind: 'refused', code: 'NOT_FOUND', detail: 'No such record.' })"
