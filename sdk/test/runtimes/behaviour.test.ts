import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { packSdk } from '../../scripts/packed-sdk.ts'
import { bundleBehaviour } from './bundle-behaviour.ts'
import { type Ground, openGround, type Stand } from './stand.ts'

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
  let ground: Ground
  let stand: Stand

  beforeAll(async () => {
    ground = await openGround()
    stand = await ground.openStand('vitest')
  })

  afterAll(async () => {
    await stand?.close()
    await ground?.close()
  })

  it.each(CASES)('$name', (each) => runCase(each, stand.fixture))
})
