import type { RUN_STATES } from '@conversation-gateway/openapi/behaviour/run-state'
import { expect, it } from 'vitest'
import { ended, script } from '../support/client.ts'
import { onGateways } from '../support/running-gateway.ts'
import { untilHolds } from '../support/until-holds.ts'

onGateways('The metrics of a gateway', (running) => {
  const scrape = async () => (await fetch(`${running.baseUrl}/metrics`)).text()
  const readSeries = async (series: string): Promise<number | null> => {
    const line = (await scrape()).split('\n').find((each) => each.startsWith(`${series} `))
    return line === undefined ? null : Number(line.slice(series.length + 1))
  }
  const converse = async () => (await running.client().createConversation()).body.conversation_id

  it('count ended runs by service, state and error code, whether the assistant or a cancel ended them [OPS-07]', async () => {
    const client = running.client()
    const id = await converse()
    await ended(client, (await client.send(id, script({ delta: 'a' }))).body.run_id)
    const error = { code: 'BROKEN', message: 'It broke.', retryable: false }
    await ended(client, (await client.send(id, script({ fail: error }))).body.run_id)
    const slow = (await client.send(id, script({ hang: true }))).body.run_id
    const waiting = (await client.send(id, script({ delta: 'a' }))).body.run_id
    await client.cancel(waiting)
    await client.cancel(slow)
    await ended(client, slow)
    const counted = (state: string, code: string) =>
      readSeries(`gateway_runs_ended_total{endpoint="ep_script",state="${state}",code="${code}"}`)
    await untilHolds(async () => {
      expect(await counted('succeeded', '')).toBe(1)
      expect(await counted('failed', 'BROKEN')).toBe(1)
      expect(await counted('cancelled', '')).toBe(2)
    })
    expect(await readSeries('gateway_assistant_errors_total{type="script",code="BROKEN"}')).toBe(1)
    expect(await readSeries('gateway_run_seconds_count{state="succeeded"}')).toBe(1)
    // The run that was cancelled while it was queued never started.
    expect(await readSeries('gateway_run_queue_seconds_count')).toBe(3)
    expect(await readSeries('gateway_run_first_output_seconds_count')).toBe(1)
  })

  it('show 0 for empty states of unfinished runs and callbacks, and for kinds of database errors [OPS-07]', async () => {
    const text = await scrape()
    for (const state of [
      'queued',
      'running',
      'waiting_approval',
      'cancelling',
      'reconciling',
    ] satisfies (typeof RUN_STATES)[number][])
      expect(text).toMatch(new RegExp(`^gateway_runs\\{state="${state}"\\} 0$`, 'm'))
    for (const state of ['pending', 'sending', 'needs_action', 'expired'])
      expect(text).toMatch(new RegExp(`^gateway_deliveries\\{state="${state}"\\} 0$`, 'm'))
    for (const state of ['delivered', 'needs_action', 'expired', 'cancelled_config_changed'])
      expect(text).toMatch(new RegExp(`^gateway_deliveries_ended_total\\{state="${state}"\\} 0$`, 'm'))
    for (const kind of ['unavailable', 'unknown_outcome', 'refused'])
      expect(text).toMatch(new RegExp(`^gateway_database_errors_total\\{kind="${kind}"\\} 0$`, 'm'))
  })

  it('count statements that the database refuses', async () => {
    const { db } = running.gateway.context
    await expect(db.query({ name: '', access: 'read', text: 'select nothing from nowhere' }, [])).rejects.toThrow()
    expect(await readSeries('gateway_database_errors_total{kind="refused"}')).toBe(1)
  })
})
