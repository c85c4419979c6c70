import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { eventually } from '../../test/support/client.ts'
import type { GatewayProcess } from '../../test/support/gateway-process.ts'
import type { MemoryReport } from './report-memory.ts'

/** Settings with which a gateway supports `readMemory`. */
export const REPORTS_MEMORY = {
  NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'report-memory.ts')).href}`,
}

/** The memory, without garbage, of a gateway that was started with `REPORTS_MEMORY`. */
export const readMemory = async (server: GatewayProcess): Promise<MemoryReport> => {
  const reports = (): MemoryReport[] =>
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{"event":"memory"'))
      .map((line): MemoryReport => JSON.parse(line))
  const before = reports().length
  process.kill(server.pid, 'SIGUSR2')
  const [report] = (
    await eventually(
      async () => reports(),
      ({ length }) => length > before,
    )
  ).slice(-1)
  if (report === undefined) throw new Error('no report arrived')
  return report
}
