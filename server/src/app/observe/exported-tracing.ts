import { setTimeout } from 'node:timers/promises'
import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import type { Sampler } from '@opentelemetry/sdk-trace'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Traceparent } from '../../domain/trace-context.ts'
import type { Tracing } from '../../gateway/tracing.ts'
import type { WorkerLog } from '../../runtime/log.ts'
import { VERSION } from '../../runtime/version.ts'
import { StartRefused } from '../program.ts'
import type { Environment } from '../settings/environment.ts'

/** Timeout for exporting the last spans of a process. */
const CLOSE_MS = 2000

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const

/**
 * Sends spans over OTLP/HTTP. The target and the service name come from `process.env`, the sampler from `environment`.
 * Nothing is registered globally except the logger for errors of the OpenTelemetry packages.
 */
export const createExportedTracing = (environment: Environment, log: Pick<WorkerLog, 'warn'>): Tracing => {
  const warn = (message: string): void => log.warn({ source: 'opentelemetry' }, message)
  diag.setLogger({ error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} }, DiagLogLevel.WARN)
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'conversation-gateway', 'service.version': VERSION }))
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }))
  const provider = new TracerProvider({
    resource,
    sampler: readSampler(environment),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('conversation-gateway', VERSION)
  return {
    begin: ({ name, kind, parent, attributes }) => {
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end: ({ attributes: last = {}, error } = {}) => {
          if (!span.isRecording()) return
          span.setAttributes(last)
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
          span.end()
        },
      }
    },
    close: () =>
      Promise.race([provider.shutdown(), setTimeout(CLOSE_MS, undefined, { ref: false })]).catch((error: Error) =>
        warn(error.message),
      ),
  }
}

const contextOf = (parent: Traceparent | null) => {
  if (parent === null) return ROOT_CONTEXT
  const [, traceId = '', spanId = '', flags = ''] = parent.split('-')
  const place = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, place)
}

const SAMPLERS: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

/** @throws {StartRefused} for an unknown sampler or an invalid ratio. */
export const readSampler = (environment: Environment): Sampler => {
  const name = environment.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on'
  const sampler = SAMPLERS[name]
  const argument = environment.OTEL_TRACES_SAMPLER_ARG?.trim() || '1'
  const ratio = Number(argument)
  if (sampler === undefined)
    throw new StartRefused(`OTEL_TRACES_SAMPLER must be one of ${Object.keys(SAMPLERS).join(', ')}.`)
  if (!(ratio >= 0 && ratio <= 1)) throw new StartRefused('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  return sampler(ratio)
}
