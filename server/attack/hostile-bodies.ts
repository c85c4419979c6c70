/** Bodies that are cheap for the sender and expensive for a careless server; each below the limit of 1 MiB. */
export interface HostileBody {
  readonly name: string
  readonly path: 'messages' | 'conversations' | 'reset'
  build(): string
}

const many = (count: number, item: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => item(n)).join(',')
const message = (input: string): string => `{"expected_generation":1,"input":${input}}`

export const HOSTILE_BODIES: readonly HostileBody[] = [
  {
    name: 'zeros as resource IDs',
    path: 'messages',
    build: () => message(`{"resource_ids":[${many(450_000, () => '0')}]}`),
  },
  {
    name: 'resource IDs of the right form',
    path: 'messages',
    build: () => message(`{"resource_ids":[${many(40_000, (n) => `"res_${n}"`)}]}`),
  },
  {
    name: 'unknown members of the input',
    path: 'messages',
    build: () => message(`{"text":"hello",${many(100_000, (n) => `"x${n}":0`)}}`),
  },
  {
    name: 'unknown members at the top level',
    path: 'messages',
    build: () => `{"expected_generation":1,"input":{"text":"hello"},${many(100_000, (n) => `"x${n}":0`)}}`,
  },
  {
    name: 'data with as many members as fit into a body',
    path: 'messages',
    build: () => message(`{"data":{${many(95_000, (n) => `"${n}":0`)}}}`),
  },
  {
    name: 'data of nearly the maximum size in many members',
    path: 'messages',
    build: () => message(`{"data":{${many(24_000, (n) => `"member-${n}":"${'v'.repeat(20)}"`)}}}`),
  },
  {
    name: 'data of empty objects',
    path: 'messages',
    build: () => message(`{"data":{"a":[${many(330_000, () => '{}')}]}}`),
  },
  {
    name: 'data that consists of escapes',
    path: 'messages',
    build: () => message(`{"data":{"a":"${'\\u0041'.repeat(170_000)}"}}`),
  },
  {
    name: 'lone surrogates everywhere',
    path: 'messages',
    build: () => message(`{"data":{"a":[${many(100_000, () => '"\\ud800"')}]}}`),
  },
  {
    name: 'nesting',
    path: 'messages',
    build: () => message(`{"data":{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}}`),
  },
  {
    name: 'integers that a double cannot represent',
    path: 'messages',
    build: () => message(`{"data":{"a":[${many(45_000, () => '9007199254740993')}]}}`),
  },
  { name: 'a text far above its limit', path: 'messages', build: () => message(`{"text":"${'ä'.repeat(500_000)}"}`) },
  {
    name: 'one key 100,000 times',
    path: 'messages',
    build: () => message(`{"data":{${many(100_000, () => '"a":[]')}}}`),
  },
  {
    name: 'a conversation key of a megabyte',
    path: 'conversations',
    build: () => `{"endpoint_id":"ep_attack","conversation_key":"${'k'.repeat(1_000_000)}"}`,
  },
  {
    name: 'a reset with unknown members',
    path: 'reset',
    build: () => `{"expected_generation":1,${many(100_000, (n) => `"x${n}":0`)}}`,
  },
]
