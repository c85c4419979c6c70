import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { describeSettings, requireConfig } from '../../server/src/app/settings/config.ts'
import { findFaults, type KubernetesObject } from './kubernetes/kubernetes-schemas.ts'

const FOLDER = join(import.meta.dirname, '../kubernetes')
const EXIT_SECONDS = 10
/** The secrets that the kustomizations ask operators to create. */
const SECRETS = {
  gateway: {
    DATABASE_URL: 'postgres://gateway:password@db:5432/gateway',
    GATEWAY_ADMIN_TOKEN: randomBytes(32).toString('hex'),
    GATEWAY_SECRET_KEY: randomBytes(32).toString('hex'),
  },
  device: { GATEWAY_DEVICE_KEY: 'gd_…' },
} as const
/** Variables of the command `device` that are not settings of the gateway. */
const OF_THE_DEVICE = ['GATEWAY_BASE_URL', 'GATEWAY_DEVICE_KEY']

interface Kustomization extends KubernetesObject {
  readonly resources: readonly string[]
  readonly configMapGenerator: readonly [{ readonly name: string; readonly literals: readonly string[] }]
}
interface Deployment extends KubernetesObject {
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> }
    readonly template: {
      readonly metadata: { readonly labels: object; readonly annotations?: Readonly<Record<string, string>> }
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly containers: readonly [
          {
            readonly envFrom: unknown
            readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
            readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
          },
        ]
      }
    }
  }
}

const read = <Read extends KubernetesObject>(folder: string, file: string): Read =>
  parse(readFileSync(join(FOLDER, folder, file), 'utf8'))

const objectsOf = (folder: string): KubernetesObject[] =>
  read<Kustomization>(folder, 'kustomization.yaml').resources.map((file) => read(folder, file))

const settingsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    read<Kustomization>(folder, 'kustomization.yaml').configMapGenerator[0].literals.map((literal) => {
      const at = literal.indexOf('=')
      return [literal.slice(0, at), literal.slice(at + 1)]
    }),
  )

describe.each(['gateway', 'device'] as const)('the kustomization of a %s', (folder) => {
  const kustomization = read<Kustomization>(folder, 'kustomization.yaml')
  const deployment = read<Deployment>(folder, 'deployment.yaml')
  const pod = deployment.spec.template

  test('has objects that Kubernetes accepts', async () => {
    expect(await findFaults(objectsOf(folder))).toEqual([])
  })

  test('names every manifest, and fields that kustomize knows', () => {
    const manifests = readdirSync(join(FOLDER, folder)).filter((name) => name !== 'kustomization.yaml')
    expect([...kustomization.resources].sort()).toEqual(manifests.sort())
    expect(Object.keys(kustomization)).toEqual(['apiVersion', 'kind', 'resources', 'configMapGenerator'])
  })

  test('refers only to its config map and its secret, and sets only known settings', () => {
    const [{ name }] = kustomization.configMapGenerator
    expect(pod.spec.containers[0].envFrom).toEqual([{ configMapRef: { name } }, { secretRef: { name } }])
    const text = readFileSync(join(FOLDER, folder, 'kustomization.yaml'), 'utf8')
    for (const key of Object.keys(SECRETS[folder])) expect(text).toContain(key)
    const known = [...describeSettings().map((setting) => setting.name), ...OF_THE_DEVICE]
    expect(known).toEqual(expect.arrayContaining(Object.keys({ ...settingsOf(folder), ...SECRETS[folder] })))
  })

  test('selects its own pods everywhere', () => {
    const { matchLabels } = deployment.spec.selector
    expect(pod.metadata.labels).toEqual(matchLabels)
    const selectors = JSON.stringify(objectsOf(folder)).matchAll(/"app\.kubernetes\.io\/name":"([^"]+)"/g)
    expect([...new Set([...selectors].map(([, name]) => name))]).toEqual(Object.values(matchLabels))
  })

  test('lets a pod finish its runs before it is killed', () => {
    const fallback = describeSettings().find(({ name }) => name === 'GATEWAY_DRAIN_MS')?.default
    const drainMs = Number(settingsOf(folder).GATEWAY_DRAIN_MS ?? fallback)
    const sleep = pod.spec.containers[0].lifecycle?.preStop.sleep.seconds ?? 0
    expect(pod.spec.terminationGracePeriodSeconds).toBe(sleep + drainMs / 1000 + EXIT_SECONDS)
  })
})

test('the settings start a gateway whose ports are those of its container', () => {
  const image = { GATEWAY_HOST: '0.0.0.0' }
  const { config } = requireConfig({ ...image, ...settingsOf('gateway'), ...SECRETS.gateway })
  const { template } = read<Deployment>('gateway', 'deployment.yaml').spec
  expect(template.spec.containers[0].ports).toEqual([
    { name: 'http', containerPort: config.port },
    { name: 'operator', containerPort: config.operatorPort },
  ])
  expect(template.metadata.annotations?.['prometheus.io/port']).toBe(String(config.operatorPort))
})

test('an unknown field, a wrong type, a missing field and an unknown kind are noticed', async () => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } }
  const ports = [{ port: 80 }]
  expect(await findFaults([{ ...service, spec: { ports } }])).toEqual([])
  expect(await findFaults([{ ...service, spec: { ports, selectors: {} } }])).toEqual([
    expect.stringMatching(/selectors/),
  ])
  expect(await findFaults([{ ...service, spec: { ports: [{ port: '80' }] } }])).toContainEqual(
    expect.stringMatching(/port must be integer/),
  )
  expect(await findFaults([{ ...service, spec: { ports: [{ name: 'http' }] } }])).toContainEqual(
    expect.stringMatching(/required property 'port'|property port/),
  )
  expect(await findFaults([{ ...service, kind: 'Servic' }])).toEqual(['There is no Servic in v1.'])
})
