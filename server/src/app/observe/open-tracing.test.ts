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
  ['no target is set', {}],
  ['the target is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ['OpenTelemetry is disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'True' }],
  ['the exporter of spans is disabled', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
])('no spans are exported if %s', async (_, environment) => {
  expect(await openTracing(environment, LOG)).toBe(NO_TRACING)
})

it('the sampling decision is that of the parent span, unless a sampler is set', () => {
  expect(`${readSampler({})}`).toContain('ParentBased{root=AlwaysOnSampler')
  const sampler = readSampler({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' })
  expect(`${sampler}`).toBe('TraceIdRatioBased{0.25}')
})

it.each([
  ['an unknown sampler', { OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER must be one of always_on'],
  [
    'an invalid sampling ratio',
    { OTEL_TRACES_SAMPLER_ARG: '2' },
    'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1',
  ],
])('%s is refused with the name of its variable', (_, environment, message) => {
  expect(() => readSampler(environment)).toThrow(message)
})
