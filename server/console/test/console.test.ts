import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { status } from '../../test/support/receiver.ts'
import { APP, DEVICES, openStage, SERVICES, type Stage, startRun, startTraffic } from './stage.ts'
import { figure, goTo, launchBrowser, openId, signIn, visit } from './visitor.ts'

/** The console as the gateway serves it, in a real browser: the actions of an operator while clients send requests. */

let stage: Stage
let browser: Browser
let endTraffic: () => Promise<void>

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../build.ts')])
  stage = await openStage()
  browser = await launchBrowser()
  endTraffic = startTraffic(stage, 4)
})
afterAll(async () => {
  await endTraffic?.()
  await browser?.close()
  await stage?.close()
})

const FAILURE = { code: 'MODEL_UNAVAILABLE', message: 'The model did not answer within 30 seconds.', retryable: true }

const dialog = (page: Page) => page.getByRole('dialog')

describe('an operator', () => {
  it('sees an error for a wrong token, and signs in with the right one; a reload signs out', async () => {
    await visit(
      browser,
      stage,
      async (page) => {
        await page.reload()
        await signIn(page, 'some-token-of-no-operator')
        await expect.poll(() => page.getByRole('alert').innerText()).toBe('The gateway does not know this token.')
        expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Conversation Gateway')
      },
      { tolerates: /401/ },
    )
  })

  it('sees live figures and charts of the gateway', async () => {
    await visit(browser, stage, async (page) => {
      const before = await figure(page, 'Admitted')
      await expect.poll(() => figure(page, 'Admitted'), { timeout: 20_000 }).toBeGreaterThan(before)
      expect(await page.getByRole('img', { name: /^Unfinished runs: / }).getAttribute('aria-label')).toMatch(
        /running \d/,
      )
      await expect
        .poll(() => page.getByRole('img', { name: /^Requests: / }).getAttribute('aria-label'), { timeout: 20_000 })
        .toMatch(/admitted [1-9]/)
      expect(await page.locator('.plot canvas').count()).toBe(4)
    })
  })

  it('finds a failed run, and reads the reason and its callbacks', async () => {
    const id = await startRun(stage, [{ delta: 'Let me look. ' }, { fail: FAILURE }])
    await visit(browser, stage, async (page) => {
      await goTo(page, 'Runs')
      await page.getByLabel('State').selectOption('failed')
      await page.getByLabel('Error code').fill(FAILURE.code)
      await page.keyboard.press('Enter')
      const row = page.getByRole('link', { name: `run_…${id.slice(-10)}` })
      await row.click()
      await page.getByRole('heading', { level: 1, name: 'Run' }).waitFor()
      const why = page.getByRole('region', { name: 'Why it failed' })
      await expect.poll(() => why.innerText()).toContain(`${FAILURE.code} ${FAILURE.message}`)
      const timeline = page.getByRole('list', { name: 'Timeline' })
      await expect
        .poll(() => timeline.innerText(), { timeout: 20_000 })
        .toMatch(/Could not deliver run\.failed to cb_ledger/)
      expect(await timeline.innerText()).toMatch(
        /Admitted[\s\S]*Started[\s\S]*Answered[\s\S]*Failed: MODEL_UNAVAILABLE/,
      )
      expect(await timeline.innerText()).toContain('Delivered run.failed to cb_orders')
      // Message texts are shown on request.
      expect(await page.getByText('Where is my order').count()).toBe(0)
      await page.getByRole('button', { name: 'Show their text' }).click()
      await page.getByText('Where is my order').waitFor()
    })
  })

  it('sees the trace ID of the request that a run comes from', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    const { run_id } = await stage.client.runs.create(SERVICES.assistant, { input: { text: 'Hi' } }, { headers })
    await visit(browser, stage, async (page) => {
      await openId(page, run_id)
      await page.getByText(traceId).waitFor()
      await page.getByRole('button', { name: 'Copy the trace ID' }).waitFor()
    })
  })

  it('reads the thread of a conversation, which the audit records', async () => {
    const id = await startRun(stage, [{ delta: 'It arrives tomorrow.' }])
    const { conversation_id } = await stage.admin.runs.get(id)
    await stage.client.runs.wait(id)
    await visit(browser, stage, async (page) => {
      await openId(page, conversation_id)
      await page.locator('.messages li').nth(1).waitFor()
      expect(await page.getByText('Where is my order').count()).toBe(0)
      await page.getByRole('button', { name: 'Show their text' }).click()
      await page.getByText('Where is my order').waitFor()
      await page.getByText('It arrives tomorrow.').first().waitFor()
    })
    const { audit_records } = await stage.admin.audit.list({ operation: 'listMessageRecords' })
    expect(audit_records).toHaveLength(1)
    expect(audit_records[0]).toMatchObject({ target: { conversation_id }, input: { include_text: true } })
  })

  it('sees the state of a run change without a reload', async () => {
    const id = await startRun(stage, [{ delta: 'one ' }, { approval: 'May it go on?' }, { delta: 'two ' }])
    await visit(browser, stage, async (page) => {
      await openId(page, id)
      const pill = page.locator('.page-head .pill')
      await expect.poll(() => pill.innerText()).toBe('waiting approval')
      const [approval] = (await stage.admin.approvals.list({ state: 'pending' })).approvals
      await stage.admin.approvals.decide(approval?.approval_id ?? '', { decision: 'approve' })
      await expect.poll(() => pill.innerText(), { timeout: 20_000 }).toBe('succeeded')
    })
  })

  it('decides an approval after reading the consequences', async () => {
    const summary = 'Refund 40 EUR to customer-4711'
    const id = await startRun(stage, [{ approval: summary }, { delta: 'Refunded.' }])
    await visit(browser, stage, async (page) => {
      await goTo(page, 'Approvals')
      await page.getByRole('listitem').filter({ hasText: summary }).getByRole('button', { name: 'Approve' }).click()
      expect(await dialog(page).innerText()).toContain('A decision cannot be taken back.')
      await dialog(page).getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('table', { name: 'Decided approvals' }).getByText(summary).waitFor()
    })
    expect((await stage.client.runs.wait(id)).state).toBe('succeeded')
  })

  it('decides an approval on the page of its run', async () => {
    const id = await startRun(stage, [{ approval: 'Send a voucher?' }, { delta: 'Sent.' }])
    await visit(browser, stage, async (page) => {
      await openId(page, id)
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Send a voucher?' })
        .getByRole('button', { name: 'Deny' })
        .click()
      await dialog(page).getByRole('button', { name: 'Deny' }).click()
      await page.getByRole('main').getByText('APPROVAL_DENIED').first().waitFor()
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    })
    expect((await stage.client.runs.wait(id)).state).toBe('failed')
  })

  it('opens the conversations of a subject through the field “Go to”', async () => {
    await startRun(stage, [{ delta: 'Here.' }], 'customer-of-one-run')
    await visit(browser, stage, async (page) => {
      await page.keyboard.press('/')
      await page.getByLabel('Go to', { exact: true }).fill(`${APP}/customer-of-one-run`)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor()
      await page.getByRole('table').getByRole('row', { name: 'customer-of-one-run' }).waitFor()
      expect(await page.getByRole('combobox', { name: 'Subject' }).inputValue()).toBe('customer-of-one-run')
    })
  })

  it('retries a delivery once its receiver works again', async () => {
    const id = await startRun(stage, [{ fail: FAILURE }])
    await visit(browser, stage, async (page) => {
      await openId(page, id)
      const callback = page.locator('.run-callbacks li', { hasText: 'cb_ledger' })
      await expect.poll(() => callback.innerText(), { timeout: 20_000 }).toContain('needs action')
      await callback.getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor()
      expect(await page.getByRole('list', { name: 'Attempts' }).innerText()).toContain('unknown account')
      // The page shows the receiver's URL and the run; it shows the content only on request.
      const facts = page.locator('.facts')
      expect(await facts.innerText()).toContain(`${stage.receiver.origin}/ledger`)
      expect(await facts.getByRole('link', { name: id.slice(-10) }).count()).toBe(1)
      await page.getByRole('button', { name: 'Show it' }).click()
      await page.locator('.json-tree').getByText('"run.failed"').waitFor()
      stage.receiver.answer('/ledger', status(204))
      await page.getByRole('button', { name: 'Retry' }).click()
      await dialog(page).getByRole('button', { name: 'Retry delivery' }).click()
      await expect.poll(() => page.locator('.page-head .pill').innerText(), { timeout: 20_000 }).toBe('delivered')
    })
  })

  it('retries many deliveries after seeing their number', async () => {
    stage.receiver.answer('/ledger', status(400))
    const stuck = async () => (await stage.admin.callbacks.listDeliveries({ state: 'needs_action' })).deliveries.length
    const refused = (await stuck()) + 3
    for (let count = 0; count < 3; count += 1) await startRun(stage, [{ fail: FAILURE }])
    await expect.poll(stuck, { timeout: 20_000 }).toBe(refused)
    stage.receiver.answer('/ledger', status(204))
    await visit(browser, stage, async (page) => {
      await page.getByRole('link', { name: `${refused} deliveries need action` }).click()
      await page.getByRole('button', { name: 'Retry many' }).click()
      await dialog(page)
        .getByRole('heading', { name: `Retry ${refused} deliveries?` })
        .waitFor()
      // Counting has changed nothing.
      expect(await stuck()).toBe(refused)
      await dialog(page).getByRole('button', { name: 'Retry them' }).click()
      await page.getByText('No delivery matches the filters.').waitFor()
    })
    expect(await stuck()).toBe(0)
  })

  it('cancels the runs that match the filters, after seeing their number', async () => {
    const customer = 'customer-to-cancel'
    const wait = [{ approval: 'May it go on?' }]
    const ids = [await startRun(stage, wait, customer), await startRun(stage, wait, customer)]
    const statesOf = async () =>
      (await Promise.all(ids.map((id) => stage.admin.runs.get(id)))).map(({ state }) => state)
    await expect.poll(statesOf).toEqual(['waiting_approval', 'waiting_approval'])
    await visit(browser, stage, async (page) => {
      await goTo(page, 'Runs')
      expect(await page.getByRole('button', { name: 'Cancel these' }).count()).toBe(0)
      // A filter suggests values from the list.
      await page.locator(`datalist option[value=${APP}]`).waitFor({ state: 'attached' })
      await page.getByLabel('Application').fill(APP)
      await page.keyboard.press('Enter')
      await page.getByLabel('Subject').fill(customer)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Cancel these' }).click()
      await dialog(page).getByRole('heading', { name: 'Cancel 2 runs?' }).waitFor()
      // Counting has changed nothing.
      expect(await statesOf()).toEqual(['waiting_approval', 'waiting_approval'])
      await dialog(page).getByRole('button', { name: 'Cancel them' }).click()
      await dialog(page).waitFor({ state: 'detached' })
      await goTo(page, 'Audit')
      await page.getByRole('table', { name: 'Changes' }).getByText('cancelRunRecords').first().waitFor()
    })
    await expect.poll(statesOf, { timeout: 20_000 }).toEqual(['cancelled', 'cancelled'])
  })

  it('keeps the text that is being typed into a filter while the list is polled', async () => {
    await visit(browser, stage, async (page) => {
      const read = () => page.waitForResponse((response) => response.url().includes('/admin/v1/runs'))
      await goTo(page, 'Runs')
      const code = page.getByLabel('Error code')
      await code.fill('NO_SUCH')
      await read()
      await read()
      expect(await code.inputValue()).toBe('NO_SUCH')
      await code.pressSequentially('_CODE')
      await page.keyboard.press('Enter')
      await page.waitForURL(/error_code=NO_SUCH_CODE/)
    })
  })

  it('sees the values of the listed rows as suggestions for filters', async () => {
    await visit(browser, stage, async (page) => {
      const offers = (value: string) =>
        page.locator(`datalist option[value="${value}"]`).first().waitFor({ state: 'attached' })
      await goTo(page, 'Conversations')
      await offers(APP)
      // The suggestions have the subjects of the newest conversations only, which depend on the traffic.
      const subject = page
        .getByRole('table')
        .getByRole('cell', { name: /^customer-/ })
        .first()
      await offers(await subject.innerText())
      await goTo(page, 'Usage')
      await offers(APP)
      await goTo(page, 'Audit')
      await offers('createCallback')
      await offers('GATEWAY_ADMIN_TOKEN')
    })
  })

  it('pauses a device after reading the consequences, and resumes it', async () => {
    await visit(browser, stage, async (page) => {
      await goTo(page, 'Devices')
      await page.getByRole('button', { name: `Pause ${DEVICES.other}` }).click()
      expect(await dialog(page).innerText()).toContain('503 CAPABILITY_UNAVAILABLE')
      await page.keyboard.press('Escape')
      expect((await stage.admin.devices.get(DEVICES.other)).state).toBe('active')
      await page.getByRole('button', { name: `Pause ${DEVICES.other}` }).click()
      await dialog(page).getByRole('button', { name: 'Pause device' }).click()
      await page.getByRole('button', { name: `Resume ${DEVICES.other}` }).waitFor()
      expect((await stage.admin.devices.get(DEVICES.other)).state).toBe('paused')
      await expect(
        stage.client.runs.create(SERVICES.triage, { input: { text: 'x' } }, { maxAttempts: 1 }),
      ).rejects.toMatchObject({ code: 'CAPABILITY_UNAVAILABLE' })
      await page.getByRole('button', { name: `Resume ${DEVICES.other}` }).click()
      await dialog(page).getByRole('button', { name: 'Resume device' }).click()
      await page.getByRole('button', { name: `Pause ${DEVICES.other}` }).waitFor()
    })
  })

  it('sees the usage of applications by day and outcome', async () => {
    await startRun(stage, [{ fail: FAILURE }])
    await visit(browser, stage, async (page) => {
      await openId(page, APP)
      await page.getByRole('link', { name: 'runs by day' }).click()
      await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
      const today = new Date().toISOString().slice(0, 10)
      const row = page.getByRole('table', { name: 'Usage' }).getByRole('row').filter({ hasText: today })
      await row.waitFor()
      expect(await row.innerText()).toContain(APP)
      const { usage } = await stage.admin.gateway.usage({ app_id: APP })
      const counted = usage.find(({ day }) => day === today)
      expect(await figure(page, 'Admitted')).toBeLessThanOrEqual(counted?.admitted ?? 0)
      expect(await figure(page, 'Failed')).toBeGreaterThan(0)
      const chart = page.getByRole('img', { name: /^Runs by day: / })
      expect((await chart.getAttribute('aria-label'))?.split(', ')).toHaveLength(7)
      await page.getByLabel('Days').selectOption('31')
      await expect.poll(async () => (await chart.getAttribute('aria-label'))?.split(', ').length).toBe(31)
      await page.getByRole('combobox', { name: 'Application' }).fill('app_nobody')
      await page.keyboard.press('Enter')
      await page.getByText('No application had a run in these days.').waitFor()
    })
  })

  it('creates a key, sees it once, and revokes it', async () => {
    await visit(browser, stage, async (page) => {
      await openId(page, APP)
      await page.getByRole('button', { name: 'New key' }).click()
      await dialog(page).getByRole('button', { name: 'Create key' }).click()
      const secret = await dialog(page).locator('code').innerText()
      expect(secret).toMatch(/^gk_/)
      await dialog(page).getByRole('button', { name: 'I have stored it' }).click()
      expect(await page.content()).not.toContain(secret)
      const revoke = page.getByRole('table', { name: 'Keys' }).getByRole('button', { name: 'Revoke' })
      // The new key is the first row once the table shows it. The second row is the key that this test's client uses.
      await expect.poll(() => revoke.count()).toBe(2)
      await revoke.first().click()
      await dialog(page).getByRole('button', { name: 'Revoke key' }).click()
      await page.getByRole('table', { name: 'Keys' }).getByText('revoked').waitFor()
    })
  })

  it('creates a token for a colleague, who sees pages without buttons for changes', async () => {
    let token = ''
    await visit(browser, stage, async (page) => {
      await goTo(page, 'Operators')
      await page.getByLabel('Name').fill('Auditor')
      await page.getByRole('button', { name: 'New operator' }).click()
      await dialog(page).getByRole('button', { name: 'Create token' }).click()
      token = await dialog(page).locator('code').innerText()
      await dialog(page).getByRole('button', { name: 'I have stored it' }).click()
      await goTo(page, 'Audit')
      await page.getByRole('table', { name: 'Changes' }).getByText('createOperator').waitFor()
    })
    const id = await startRun(stage, [{ approval: 'May it go on?' }, { fail: FAILURE }])
    stage.receiver.answer('/ledger', status(400))
    await startRun(stage, [{ fail: FAILURE }])
    const stuck = async () => (await stage.admin.callbacks.listDeliveries({ state: 'needs_action' })).deliveries[0]
    await expect.poll(stuck, { timeout: 20_000 }).toBeDefined()
    const refused = (await stuck())?.delivery_id ?? ''
    await visit(
      browser,
      stage,
      async (page) => {
        const changes = async (): Promise<string[]> => {
          await page.locator('main table, main .facts, main .approvals li').first().waitFor()
          return page.getByRole('main').getByRole('button').allInnerTexts()
        }
        for (const name of [
          'Overview',
          'Approvals',
          'Runs',
          'Usage',
          'Devices',
          'Applications',
          'Integrations',
          'Operators',
        ]) {
          await goTo(page, name)
          expect([name, await changes()]).toEqual([name, []])
        }
        for (const each of [id, APP, refused]) {
          await openId(page, each)
          expect([each, (await changes()).filter((text) => text !== 'Copy')]).toEqual([each, []])
        }
      },
      { token },
    )
    const [approval] = (await stage.admin.approvals.list({ state: 'pending' })).approvals
    await stage.admin.approvals.decide(approval?.approval_id ?? '', { decision: 'deny' })
  })

  it('sees that the gateway is unreachable, and continues when it is back', async () => {
    await visit(
      browser,
      stage,
      async (page) => {
        await goTo(page, 'Runs')
        const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row')
        await rows.nth(1).waitFor()
        await stage.gateway.kill()
        try {
          await page.getByText('The gateway has not answered for').waitFor()
          expect(await rows.count()).toBeGreaterThan(1)
        } finally {
          // Start the gateway even after a failure, so that other tests do not fail, too.
          await stage.gateway.start()
        }
        await page.getByText('The gateway has not answered for').waitFor({ state: 'detached' })
        await goTo(page, 'Overview')
      },
      { tolerates: /ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|50\d/ },
    )
  })
})
