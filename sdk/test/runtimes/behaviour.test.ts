import { afterAll, beforeAll, describe, it } from 'vitest'
import { importBehaviour } from './bundle-behaviour.ts'
import { type RuntimeSetup, type SharedGateway, startSharedGateway } from './runtime-setup.ts'

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
