import type { RemoteInfo } from 'node:dgram'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The addresses that answer the nth query, from 0, for this name and type. Empty: the name does not exist. */
export type Zone = (name: string, type: 'A' | 'AAAA', nth: number) => readonly string[]

/** A name server on loopback whose answers come from a test. */
export interface DnsStub {
  readonly server: string
  /** `name type` of every query, oldest first. */
  readonly queries: readonly string[]
  close(): Promise<void>
}

const TYPES = { 1: 'A', 28: 'AAAA' } as const
const NO_ERROR = 0x8180
const NO_SUCH_NAME = 0x8183

export const startDnsStub = async (zone: Zone): Promise<DnsStub> => {
  const queries: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type, question } = readQuestion(query)
    const typeName = type === 1 || type === 28 ? TYPES[type] : null
    const nth = queries.filter((past) => past === `${name} ${typeName}`).length
    queries.push(`${name} ${typeName}`)
    const addresses = typeName === null ? [] : zone(name, typeName, nth)
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(addresses.length === 0 ? NO_SUCH_NAME : NO_ERROR, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(addresses.length, 6)
    socket.send(Buffer.concat([head, question, ...addresses.map((address) => record(type, address))]), from.port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    queries,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

const readQuestion = (query: Buffer): { name: string; type: number; question: Buffer } => {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  }
}

/** A record of the queried name, with a TTL of 0. */
const record = (type: number, address: string): Buffer => {
  const data = type === 1 ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.byteLength, 10)
  return Buffer.concat([head, data])
}

const ipv6Bytes = (address: string): Buffer => {
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [left = '', right] = groups.split('::')
  const parts = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const [start, end] = [parts(left), parts(right ?? '')]
  const middle = right === undefined ? [] : Array<string>(8 - start.length - end.length).fill('0')
  return Buffer.from([...start, ...middle, ...end].map((part) => part.padStart(4, '0')).join(''), 'hex')
}
