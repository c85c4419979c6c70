import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRequest, inputOf, play } from '../../test/support/play-assistant.ts'
import { createModuleAssistant, createModuleLoader } from './module.ts'

const MODULES = join(import.meta.dirname, '../../test/support/modules')
const moduleAt = (path: string) => createModuleAssistant(createModuleLoader(MODULES), path)
const asked = (text: string) => ({ input: inputOf({ text, data: null, resourceIds: [] }) })

describe('an operator’s module', () => {
  it('is run with its request, is given decisions, and says how the run ends [ASST-11]', async () => {
    const performance = await play(moduleAt('./greeting.js'), asked('you'), 'denied')
    expect(performance).toEqual({
      steps: [{ delta: 'Hello you, ' }, { approval: 'Tell the number?' }, { message: 'denied' }],
      outcome: { state: 'succeeded', text: '0 messages before' },
    })
  })

  it('may be named by its absolute path, and export its generator by name', async () => {
    expect((await play(moduleAt(join(MODULES, 'named.js')))).steps).toEqual([{ delta: 'named' }])
  })

  it('is loaded once', () => {
    const load = createModuleLoader(MODULES)
    expect(load('greeting.js')).toBe(load('./greeting.js'))
  })

  it('is ended when nobody pulls it any more', async () => {
    const ended: string[] = []
    const assistant = createModuleAssistant(
      async () =>
        async function* () {
          try {
            yield { delta: 'a' }
            yield { delta: 'b' }
          } finally {
            ended.push('cleaned up')
          }
        },
      'inline',
    )
    const steps = assistant(createRequest())
    await steps.next()
    await steps.return(undefined)
    expect(ended).toEqual(['cleaned up'])
  })
})

describe('a faulty module is named in the error', () => {
  it.each([
    ['missing.js', /The assistant module .*missing\.js cannot be loaded/],
    ['without-assistant.js', /without-assistant\.js exports no async generator function as "default" or "assistant"/],
    ['not-a-generator.js', /not-a-generator\.js did not return an async generator/],
  ])('%s', async (path, message) => {
    await expect(play(moduleAt(path))).rejects.toThrow(message)
  })

  it.each(['step', 'many', 'text'])('when it yields something else than a step: %s', async (slip) => {
    await expect(play(moduleAt('sloppy.js'), asked(slip))).rejects.toThrow(
      /sloppy\.js yielded something other than documented/,
    )
  })

  it('when it returns something else than an outcome', async () => {
    await expect(play(moduleAt('sloppy.js'), asked('nothing'))).rejects.toThrow(
      /sloppy\.js returned something other than documented/,
    )
  })
})
