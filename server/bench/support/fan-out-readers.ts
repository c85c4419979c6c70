/**
 * The subscribers of the fan-out measurement, in a separate process so that they do not share the server's event loop:
 * `node fan-out-readers.ts '<ReaderPlan as JSON>'`. Reports to its parent when all are connected, and whenever all
 * subscribers of a path have received a whole burst.
 */
import { connect } from 'node:net'

export interface ReaderPlan {
  readonly port: number
  readonly paths: readonly string[]
  readonly subscribersPerPath: number
  /** Marks the end of the last frame of a burst. */
  readonly marker: string
}

export type ReaderReport = 'connected' | { readonly path: string }

const plan: ReaderPlan = JSON.parse(process.argv[2] ?? '{}')
const report = (message: ReaderReport): void => {
  process.send?.(message)
}
const marker = Buffer.from(plan.marker)
/** The marker, and what may follow it: the end of the JSON, of the frame and of the chunk. */
const tailBytes = marker.length + 64

const total = plan.paths.length * plan.subscribersPerPath
let connected = 0

for (const path of plan.paths) {
  let finished = 0
  for (let index = 0; index < plan.subscribersPerPath; index++) {
    const socket = connect({ port: plan.port, host: '127.0.0.1' })
    let tail = Buffer.alloc(0)
    let isOpen = false
    socket.on('connect', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`))
    socket.on('error', () => process.exit(1))
    socket.on('data', (chunk) => {
      if (!isOpen) {
        isOpen = true
        connected++
        if (connected === total) report('connected')
        return
      }
      tail = chunk.length >= tailBytes ? chunk.subarray(-tailBytes) : Buffer.concat([tail, chunk]).subarray(-tailBytes)
      if (!tail.includes(marker)) return
      tail = Buffer.alloc(0)
      finished++
      if (finished % plan.subscribersPerPath === 0) report({ path })
    })
  }
}
