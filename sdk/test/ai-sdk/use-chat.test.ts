import { readUIMessageStream, type UIMessage } from 'ai'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { toUIMessageStream } from '../../src/ai-sdk/index.ts'
import { installChromium } from '../runtimes/install.ts'
import type { Listening } from '../support/listening.ts'
import { startTestGateway } from '../support/test-gateway.ts'
import { startBackend } from './backend.ts'
import type { ShownChat } from './page.ts'
import { RECORDINGS } from './recordings.ts'

/** `useChat` of `@ai-sdk/react` in a real browser, through a small backend. */

const { gateway, client } = startTestGateway()

let backend: Listening
let browser: Browser
beforeAll(async () => {
  backend = await startBackend(client)
  // Chromium's sandbox does not work for root; the test opens only its own pages.
  browser = await chromium.launch({ executablePath: await installChromium(), args: ['--no-sandbox'] })
}, 400_000)
afterEach(() => gateway.reset())
afterAll(async () => {
  await browser?.close()
  await backend?.close()
})

const openPage = async (path: string): Promise<Page> => {
  const page = await browser.newPage()
  await page.goto(backend.url + path)
  return page
}

const shownOn = async (page: Page): Promise<ShownChat> => JSON.parse((await page.locator('#shown').textContent()) ?? '')

/** The state of the page once it satisfies the condition. */
const shownWhen = async (page: Page, condition: (shown: ShownChat) => boolean): Promise<ShownChat> => {
  await expect.poll(async () => condition(await shownOn(page)), { timeout: 30_000, interval: 10 }).toBe(true)
  return shownOn(page)
}
const isIdle = ({ status }: ShownChat): boolean => status === 'ready' || status === 'error'
const answerOf = (shown: ShownChat): UIMessage | undefined =>
  shown.messages.findLast(({ role }) => role === 'assistant')

const createChat = async (): Promise<string> => {
  const { conversation_id } = await client.conversations.create({ endpoint_id: 'ep_test' })
  return conversation_id
}

const runsOf = (chatId: string) =>
  gateway.conversations.find(({ record }) => record.conversation_id === chatId)?.runs ?? []

/** The message of a reader that reads the run from its beginning. */
const wholeMessage = async (runId: string): Promise<UIMessage | undefined> => {
  let last: UIMessage | undefined
  const stream = toUIMessageStream(client.follow(runId))
  for await (const message of readUIMessageStream({ stream, onError: () => {} })) last = message
  return last && JSON.parse(JSON.stringify(last))
}

/**
 * The recordings that the browser plays: deltas and messages, a failure, an interrupted run, and a run with earlier
 * messages in the chat. `chat.test.ts` plays all recordings.
 */
const SHOWN_IN_A_BROWSER = ['4', '6', '8', '9, later in the chat']

describe('a page with useChat', () => {
  it('shows the answer to the message that it sends', async () => {
    gateway.reply('Hello there')
    const page = await openPage(`/${await createChat()}`)
    await page.click('#send')
    const shown = await shownWhen(page, (each) => isIdle(each) && each.messages.length === 2)
    expect(answerOf(shown)?.parts).toMatchObject([{ type: 'text', text: 'Hello there', state: 'done' }])
    await page.close()
  })

  it('starts one run when it sends in an effect, which React runs twice', async () => {
    gateway.reply('Hello there', 'one too many')
    const chatId = await createChat()
    const page = await openPage(`/${chatId}?opening=Hi`)
    await shownWhen(page, (each) => isIdle(each) && answerOf(each) !== undefined)
    expect(runsOf(chatId)).toHaveLength(1)
    await page.close()
  })

  it('cancels the run only by its stop button', async () => {
    gateway.reply([{ delta: 'on and on' }, { hang: true }])
    const chatId = await createChat()
    const page = await openPage(`/${chatId}`)
    await page.click('#send')
    await shownWhen(page, (each) => answerOf(each) !== undefined)
    await page.reload()
    await shownWhen(page, ({ status, messages }) => status === 'streaming' && messages.length === 2)
    expect(runsOf(chatId).map(({ state }) => state)).toEqual(['running'])
    await page.click('#stop')
    await shownWhen(page, isIdle)
    await expect.poll(() => runsOf(chatId).map(({ state }) => state)).toEqual(['cancelled'])
    await page.close()
  })

  it.each(RECORDINGS.filter(({ name }) => SHOWN_IN_A_BROWSER.includes(name)))(
    'ends with the message of an uninterrupted reader, whichever event it is reloaded at: recording $name',
    async ({ script, before }) => {
      for (let steps = 0; ; steps += 1) {
        const chatId = await createChat()
        const { generation } = await client.conversations.get(chatId)
        for (let i = 0; i < before; i++) await client.ask({ conversation_id: chatId, generation }, `before ${i}`).run()
        const newest = () => runsOf(chatId).at(-1)
        const isOver = () => !['queued', 'running'].includes(newest()?.state ?? '')
        gateway.hold()
        gateway.reply(script)
        const page = await openPage(`/${chatId}`)
        await page.click('#send')
        await expect.poll(() => runsOf(chatId).length).toBe(before + 1)
        const runId = newest()?.run_id ?? ''
        let taken = 0
        for (; taken < steps && !isOver(); taken += 1) gateway.step(runId)
        await page.reload()
        // The reloaded page has loaded the history and now requests the events of the run. Events between these two
        // requests must not change the final message.
        await page.locator('#shown').waitFor()
        gateway.release()
        const whole = await wholeMessage(runId)
        const shown = await shownWhen(
          page,
          (each) => isIdle(each) && JSON.stringify(answerOf(each)) === JSON.stringify(whole),
        )
        expect(shown.messages.filter(({ role }) => role === 'user')).toHaveLength(before + 1)
        await page.close()
        if (taken < steps) break
      }
    },
  )
})
