import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEYS, writeBootstrap } from '../../server/test/support/bootstrap-file.ts'
import { createClient, ended } from '../../server/test/support/client.ts'
import type { TestPostgres } from '../../server/test/support/databases/postgres.ts'
import { startPostgres } from '../../server/test/support/databases/postgres.ts'
import type { GatewayProcess } from '../../server/test/support/gateway-process.ts'
import { startGateway } from '../../server/test/support/gateway-process.ts'
import { debianProgram } from './debian-programs.ts'

const DEPLOY = join(import.meta.dirname, '..')
const PROMETHEUS = join(DEPLOY, 'prometheus')
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8')

const RULES = read('prometheus/alerts.yaml')
const TESTS = read('prometheus/alerts.test.yaml')
const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, it = '']) => it)
const alerts = found(RULES, /^ {6}- alert: (\w+)$/gm)
const dashboard: { panels: { targets: { expr: string }[] }[] } = JSON.parse(read('grafana/conversation-gateway.json'))
const thresholds = found(RULES, /^ {8}expr: '(.+)'$/gm)
const expressions = [...thresholds, ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))]

let postgres: TestPostgres
let gateway: GatewayProcess
let scrape: string
beforeAll(async () => {
  postgres = await startPostgres()
  gateway = await startGateway({
    DATABASE_URL: postgres.url,
    GATEWAY_BOOTSTRAP: await writeBootstrap(),
    GATEWAY_ADMIN_TOKEN: 'a-token-for-the-operator',
  })
  const client = createClient({ baseUrl: gateway.baseUrl, key: KEYS.all })
  const { conversation_id: id } = (await client.createConversation()).body
  const { run_id: runId } = (await client.send(id, { text: 'counted' })).body
  await ended(client, runId)
  await client.send(id, { text: 'refused' }, 7)
  scrape = await (await fetch(`${gateway.baseUrl}/metrics`)).text()
}, 120_000)
afterAll(async () => {
  await gateway?.stop()
  await postgres?.stop()
})

const promtool = (cwd: string, ...args: string[]): string =>
  execFileSync(debianProgram('prometheus', '/usr/bin/promtool'), args, { cwd, encoding: 'utf8', stdio: 'pipe' })

test('Prometheus accepts the alert rules, and each fires or stays silent as its tests expect', () => {
  expect(promtool(PROMETHEUS, 'check', 'rules', 'alerts.yaml')).toContain(`${alerts.length} rules found`)
  promtool(PROMETHEUS, 'test', 'rules', 'alerts.test.yaml')
  expect(found(TESTS, /^ {4}name: (.+)$/gm).sort()).toEqual(
    alerts.flatMap((alert) => [`${alert} fires`, `${alert} stays quiet`]).sort(),
  )
})

test('a change of any threshold fails the tests of the rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-alerts-'))
  writeFileSync(join(folder, 'alerts.test.yaml'), TESTS)
  try {
    for (const expression of thresholds) {
      const moved = expression.replace(/(>|==) [\d.]+$/, '$1 1000000')
      writeFileSync(join(folder, 'alerts.yaml'), RULES.replace(expression, moved))
      expect(() => promtool(folder, 'test', 'rules', 'alerts.test.yaml'), expression).toThrow()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('alerts and dashboard name only metrics and labels of a gateway on PostgreSQL', () => {
  const given = new Set(
    [...scrape.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
  const wanted = new Set(expressions.flatMap((text) => text.match(/\b(gateway|process)_\w+/g) ?? []))
  expect(wanted.size).toBeGreaterThan(15)
  expect([...wanted].filter((name) => !given.has(name))).toEqual([])
  const samples = scrape.split('\n')
  for (const [metric, label] of [
    ['gateway_http_request_seconds_count', 'status'],
    ['gateway_http_request_seconds_bucket', 'operation="sendMessage"'],
    ['gateway_runs_ended_total', 'endpoint="ep_'],
    ['gateway_runs_ended_total', 'state="succeeded"'],
    ['gateway_runs', 'state="reconciling"'],
    ['gateway_refusals_total', 'code="GENERATION_CONFLICT"'],
    ['gateway_deliveries_ended_total', 'state="needs_action"'],
    ['gateway_deliveries_ended_total', 'state="expired"'],
    ['gateway_database_errors_total', 'kind="refused"'],
    ['gateway_build_info', 'version='],
    ['gateway_app_open_streams', 'app="(other)"'],
  ] as const)
    expect(
      samples.some((line) => line.startsWith(`${metric}{`) && line.includes(label)),
      `${metric} has ${label}`,
    ).toBe(true)
})

test('the guide describes a response to exactly the existing alerts', () => {
  const guide = readFileSync(join(DEPLOY, '../docs/guides/alerts.md'), 'utf8')
  const explained = [...guide.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
  expect(explained.sort()).toEqual([...alerts].sort())
})
