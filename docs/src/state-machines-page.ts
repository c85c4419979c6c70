import { CALLBACK_DELIVERY_STATES, CALLBACK_DELIVERY_TRANSITIONS } from '../../server/src/domain/delivery-state.ts'
import { OPERATION_STATES, OPERATION_TRANSITIONS } from '../../server/src/domain/operation-state.ts'
import { RUN_STATES, RUN_TRANSITIONS } from '../../server/src/domain/run-state.ts'
import { ADMIN, type Contract, GATEWAY, resolveSchema } from './contract.ts'
import { drawStates, type Transitions } from './draw-states.ts'
import { page, prose, table } from './markdown.ts'

interface StateMachine {
  readonly name: string
  readonly title: string
  readonly initial: string
  readonly transitions: Transitions
  /** The contract's schema that says what the states mean. */
  readonly schema: { readonly contract: Contract; readonly name: string }
  readonly decision: string
}

const MACHINES: readonly StateMachine[] = [
  {
    name: 'runs',
    title: 'Runs',
    initial: RUN_STATES[0],
    transitions: RUN_TRANSITIONS,
    schema: { contract: GATEWAY, name: 'RunState' },
    decision: 'D-17',
  },
  {
    name: 'operations',
    title: 'Operations',
    initial: OPERATION_STATES[0],
    transitions: OPERATION_TRANSITIONS,
    schema: { contract: GATEWAY, name: 'OperationState' },
    decision: 'D-18',
  },
  {
    name: 'deliveries',
    title: 'Callback deliveries',
    initial: CALLBACK_DELIVERY_STATES[0],
    transitions: CALLBACK_DELIVERY_TRANSITIONS,
    schema: { contract: ADMIN, name: 'DeliveryState' },
    decision: 'D-38',
  },
]

/** The state machines, drawn from the tables that the gateway itself decides by. */
export const stateMachinesPage = async (): Promise<string> =>
  page(
    { title: 'State machines', description: 'Every state and every transition of runs, operations and deliveries.' },
    [
      'These are the tables that the gateway decides by. A transition that is not listed does not happen. New values may be added: treat an unknown state as not final.',
      ...(await Promise.all(MACHINES.map(section))),
    ],
  )

const section = async ({ name, title, initial, transitions, schema, decision }: StateMachine): Promise<string> => {
  const label = `${title}: states and transitions. The table below says the same.`
  return [
    `## ${title} {#${name}}`,
    prose(`${meaningOf(schema)} (${decision})`),
    `<figure class="drawing">${await drawStates(name, label, initial, transitions)}</figure>`,
    table(
      ['State', 'Leads to'],
      Object.entries(transitions).map(([state, next]) => [
        `\`${state}\`${state === initial ? ' (first)' : ''}`,
        next.length === 0 ? 'final' : next.map((each) => `\`${each}\``).join(', '),
      ]),
    ),
  ].join('\n\n')
}

const meaningOf = ({ contract, name }: StateMachine['schema']): string => {
  const { schema } = resolveSchema(contract, { $ref: `#/components/schemas/${name}` })
  return typeof schema.description === 'string' ? schema.description : ''
}
