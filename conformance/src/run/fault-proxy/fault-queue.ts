import type { Fault, FaultRule } from './fault.ts'

/** Rules for later requests, in the order in which they were added. */
export interface FaultQueue {
  add(rule: FaultRule): void
  clear(): void
  /** Number of requests to which rules still apply; 0 once every fault was used. */
  waiting(): number
  /** Returns the faults of the oldest rule that matches this request; none if no rule matches. */
  take(method: string, path: string): readonly Fault[]
}

export const createFaultQueue = (): FaultQueue => {
  let rules: { readonly rule: FaultRule; left: number }[] = []
  return {
    add: (rule) => {
      for (const fault of faultsOf(rule)) assertPossible(fault)
      rules.push({ rule, left: rule.times ?? 1 })
    },
    clear: () => {
      rules = []
    },
    waiting: () => rules.reduce((sum, { left }) => sum + left, 0),
    take: (method, path) => {
      const found = rules.find(({ rule }) => matches(rule, method, path))
      if (found === undefined) return []
      found.left -= 1
      rules = rules.filter(({ left }) => left > 0)
      return faultsOf(found.rule)
    },
  }
}

const faultsOf = ({ fault }: FaultRule): readonly Fault[] => ('kind' in fault ? [fault] : fault)

const matches = (rule: FaultRule, method: string, path: string): boolean =>
  (rule.method === undefined || rule.method === method) &&
  (rule.path === undefined || (typeof rule.path === 'string' ? rule.path === pathname(path) : rule.path.test(path)))

const pathname = (path: string): string => path.split('?', 1)[0] ?? ''

const assertPossible = (fault: Fault): void => {
  const check = (name: string, values: readonly number[], min: number): void => {
    const isGood = values.length > 0 && values.every((value) => Number.isInteger(value) && value >= min)
    if (!isGood)
      throw new RangeError(`${fault.kind}: ${name} takes whole numbers from ${min}, not ${values.join(', ')}`)
  }
  if ('atByte' in fault) check('atByte', [fault.atByte], 0)
  if ('afterEvents' in fault) check('afterEvents', [fault.afterEvents], 0)
  if ('every' in fault) check('every', [fault.every], 1)
  if ('sizes' in fault) check('sizes', fault.sizes, 1)
}
