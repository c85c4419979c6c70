import { CALLBACK_DELIVERY_STATES } from '@conversation-gateway/openapi/behaviour/callback-delivery-state'
import { OPERATION_STATES } from '@conversation-gateway/openapi/behaviour/operation-state'
import { RUN_STATES } from '@conversation-gateway/openapi/behaviour/run-state'
import { ADMIN, GATEWAY, type Schema, schemaNamed } from '../contract.ts'
import { page, prose, table } from '../markdown.ts'
import { type Causes, drawStates } from './draw-states.ts'
import { DELIVERY_CAUSES, OPERATION_CAUSES, RUN_CAUSES } from './state-causes.ts'

interface StateMachine {
  readonly name: string
  readonly title: string
  readonly initial: string
  readonly causes: Causes
  /** The schema of the contract that describes the states. */
  readonly schema: Schema
  readonly decision: string
}

const MACHINES: readonly StateMachine[] = [
  {
    name: 'runs',
    title: 'Runs',
    initial: RUN_STATES[0],
    causes: RUN_CAUSES,
    schema: schemaNamed(GATEWAY, 'RunState'),
    decision: 'D-17',
  },
  {
    name: 'operations',
    title: 'Operations',
    initial: OPERATION_STATES[0],
    causes: OPERATION_CAUSES,
    schema: schemaNamed(GATEWAY, 'OperationState'),
    decision: 'D-18',
  },
  {
    name: 'deliveries',
    title: 'Callback deliveries',
    initial: CALLBACK_DELIVERY_STATES[0],
    causes: DELIVERY_CAUSES,
    schema: schemaNamed(ADMIN, 'CallbackDeliveryState'),
    decision: 'D-38',
  },
]

/** The state machines, drawn from the tables that the gateway uses. */
export const stateMachinesPage = async (): Promise<string> =>
  page(
    { title: 'State machines', description: 'Every state and every transition of runs, operations and deliveries.' },
    [
      'The gateway uses these tables: a transition that is not listed here never happens. In the drawings, an arrow leads to the next state, and a box lists the final states that its state can reach. Later versions may add states, so treat an unknown state as not final.',
      ...(await Promise.all(MACHINES.map(section))),
    ],
  )

const section = async ({ name, title, initial, causes, schema, decision }: StateMachine): Promise<string> => {
  const label = `${title}: states and transitions. The table below says the same.`
  return [
    `## ${title} {#${name}}`,
    prose(`${schema.description} (${decision})`),
    `<figure class="drawing">${await drawStates(name, label, initial, causes)}</figure>`,
    table(
      ['State', 'Leads to', 'When'],
      Object.entries(causes).flatMap(([state, next]) => rowsOf(state, next, state === initial)),
    ),
  ].join('\n\n')
}

const rowsOf = (state: string, next: Readonly<Record<string, string>>, isInitial: boolean): string[][] => {
  const name = `\`${state}\`${isInitial ? ' (first)' : ''}`
  const rows = Object.entries(next).map(([to, cause], index) => [index === 0 ? name : '', `\`${to}\``, cause])
  return rows.length === 0 ? [[name, 'final', '']] : rows
}
