import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { packSdk } from '../../scripts/packed-sdk.ts'
import { bundleBehaviour } from './bundle-behaviour.ts'
import { type RuntimeSetup, type SharedGateway, startSharedGateway } from './runtime-setup.ts'

const importBehaviour = async (): Promise<typeof import('./behaviour.ts')> => {
  const { projectFolder } = await packSdk()
  const folder = await mkdtemp(join(projectFolder, 'behaviour-'))
  try {
    const bundle = join(folder, 'behaviour.js')
    await bundleBehaviour(bundle)
    return await import(/* @vite-ignore */ pathToFileURL(bundle).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const { CASES, runCase } = await importBehaviour()

describe('the packed SDK in this Node', () => {
  let gateway: SharedGateway
  let setup: RuntimeSetup

  beforeAll(async () => {
    gateway = await startSharedGateway()
    setup = await gateway.openSetup('vitest')
  })

  afterAll(async () => {
    await setup?.close()
    await gateway?.close()
  })

  it.each(CASES)('$name', (each) => runCase(each, setup.fixture))
})
