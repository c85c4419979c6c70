import { expect, it } from 'vitest'
import { NO_TRACING } from '../../gateway/tracing.ts'
import { readSampler } from './exported-tracing.ts'
import { openTracing, wantsTracing } from './open-tracing.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
const LOG = { warn: () => {} }

it('spans are exported if the standard variables name a target', () => {
  expect(wantsTracing(ENDPOINT)).toBe(true)
  expect(wantsTracing({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' })).toBe(true)
})

it.each([
  ['nothing says where to', {}],
  ['it is said with no value', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ['all of OpenTelemetry is off', { ...ENDPOINT, OTEL_SDK_DISABLED: 'True' }],
  ['spans are off', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
])('no spans are sent, and nothing is loaded for them, where %s', async (_, environment) => {
  expect(await openTracing(environment, LOG)).toBe(NO_TRACING)
})

it('a trace is sampled as its parent is, unless a sampler is set', () => {
  expect(`${readSampler({})}`).toContain('ParentBased{root=AlwaysOnSampler')
  const sampler = readSampler({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' })
  expect(`${sampler}`).toBe('TraceIdRatioBased{0.25}')
})

it.each([
  ['a sampler that there is not', { OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER must be one of always_on'],
  ['a share that is none', { OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'],
])('%s is refused by its name', (_, environment, message) => {
  expect(() => readSampler(environment)).toThrow(message)
})
