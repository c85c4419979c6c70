import type { Tracing } from '../../gateway/tracing.ts'
import { NO_TRACING } from '../../gateway/tracing.ts'
import type { WorkerLog } from '../../runtime/log.ts'
import type { Environment } from '../settings/environment.ts'

/** Whether the standard variables of OpenTelemetry ask for spans: they name a target and do not disable tracing. */
export const wantsTracing = (environment: Environment): boolean => {
  const read = (name: string): string => environment[name]?.trim() ?? ''
  if (read('OTEL_SDK_DISABLED').toLowerCase() === 'true') return false
  if (read('OTEL_TRACES_EXPORTER').toLowerCase() === 'none') return false
  return read('OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== ''
}

/** Spans for OpenTelemetry. Its packages are loaded only if tracing is enabled. */
export const openTracing = async (environment: Environment, log: Pick<WorkerLog, 'warn'>): Promise<Tracing> => {
  if (!wantsTracing(environment)) return NO_TRACING
  const { createExportedTracing } = await import('./exported-tracing.ts')
  return createExportedTracing(environment, log)
}
