import type { EventEnvelope, Message } from '../../src/generated/gateway.ts'

/** The effects of one kind of fault in all its cases. Every number but the first must be 0. */
export interface FaultCounts {
  readonly cases: number
  readonly admissionsLost: number
  readonly admissionsDoubled: number
  readonly eventsLost: number
  readonly eventsDoubled: number
}

export interface FaultMatrix {
  /** Adds cases of a kind of fault. */
  add(fault: string, counts: Partial<FaultCounts>): void
  total(): FaultCounts
  /** The counts of each kind of fault and their total, as lines of text. */
  table(): string
}

const NOTHING: FaultCounts = { cases: 0, admissionsLost: 0, admissionsDoubled: 0, eventsLost: 0, eventsDoubled: 0 }

const sum = (one: FaultCounts, other: Partial<FaultCounts>): FaultCounts => ({
  cases: one.cases + (other.cases ?? 0),
  admissionsLost: one.admissionsLost + (other.admissionsLost ?? 0),
  admissionsDoubled: one.admissionsDoubled + (other.admissionsDoubled ?? 0),
  eventsLost: one.eventsLost + (other.eventsLost ?? 0),
  eventsDoubled: one.eventsDoubled + (other.eventsDoubled ?? 0),
})

export const createFaultMatrix = (): FaultMatrix => {
  const byFault = new Map<string, FaultCounts>()
  const total = () => [...byFault.values()].reduce(sum, NOTHING)
  return {
    add: (fault, counts) => byFault.set(fault, sum(byFault.get(fault) ?? NOTHING, counts)),
    total,
    table: () => {
      const head = ['fault', 'cases', 'admissions lost', 'doubled', 'events lost', 'doubled']
      const cells = [...byFault, ['all', total()] as const].map(([fault, row]) => [
        fault,
        ...[row.cases, row.admissionsLost, row.admissionsDoubled, row.eventsLost, row.eventsDoubled].map(String),
      ])
      const widths = head.map((name, column) =>
        Math.max(...[head, ...cells].map((row) => (row[column] ?? name).length)),
      )
      const line = (row: readonly string[]): string =>
        row
          .map((cell, column) => (column === 0 ? cell.padEnd : cell.padStart).call(cell, widths[column] ?? 0))
          .join('  ')
      return [head, ...cells].map(line).join('\n')
    },
  }
}

/** Something that must happen once, and the result that the caller received. */
export interface Intended {
  readonly text: string
  /** The ID that the answer gave; null when there was no answer. */
  readonly messageId: string | null
}

/**
 * Counts intentions against the messages that the gateway has. An intention is lost if its message is missing, or has
 * another ID than its sender received.
 */
export const countAdmissions = (
  intentions: readonly Intended[],
  messages: readonly Message[],
): Pick<FaultCounts, 'admissionsLost' | 'admissionsDoubled'> => {
  let admissionsLost = 0
  let admissionsDoubled = 0
  for (const { text, messageId } of intentions) {
    const admitted = messages.filter(({ role, content }) => role === 'user' && content.text === text)
    if (!admitted.some(({ message_id }) => message_id === messageId)) admissionsLost += 1
    admissionsDoubled += Math.max(0, admitted.length - 1)
  }
  return { admissionsLost, admissionsDoubled }
}

/**
 * Compares the events that a consumer received with the log.
 * @throws {Error} if each event was received once, but in another order or with other content.
 */
export const countEvents = (
  log: readonly EventEnvelope[],
  seen: readonly EventEnvelope[],
): Pick<FaultCounts, 'eventsLost' | 'eventsDoubled'> => {
  const times = new Map<number, number>()
  for (const { seq } of seen) times.set(seq, (times.get(seq) ?? 0) + 1)
  const eventsLost = log.filter(({ seq }) => !times.has(seq)).length
  const eventsDoubled = seen.length - times.size
  if (eventsLost + eventsDoubled === 0 && JSON.stringify(seen) !== JSON.stringify(log))
    throw new Error(`the events ${seen.map(({ seq }) => seq).join(', ')} differ from the log`)
  return { eventsLost, eventsDoubled }
}
