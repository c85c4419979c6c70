import { RULES } from '../kit/rules.ts'
import type { TranscriptEntry } from '../kit/transcript.ts'
import { escapeXml } from './escape-xml.ts'
import type { CheckReport } from './suite-report.ts'
import { STATUS_WORDS } from './verdict.ts'

/** An expandable check: its rules, the reason why it did not pass, and its transcript. */
export function renderCheck(check: CheckReport, isOpen = false): string {
  const rules = check.rules
    .map(
      (id) =>
        `<li><a href="#rule-${id}"><b>${id}</b> ${escapeXml(RULES.get(id)?.title ?? '')}</a> <span class="level">${check.level}</span></li>`,
    )
    .join('')
  const message = check.message === null ? '' : `<pre class="message">${escapeXml(check.message)}</pre>`
  const known = check.knownReason === null ? '' : `<p>Known: ${escapeXml(check.knownReason)}</p>`
  return `<details class="check ${check.status}" data-status="${check.status}" id="${escapeXml(check.id)}"${isOpen ? ' open' : ''}>
<summary><span class="badge">${STATUS_WORDS[check.status]}</span> ${escapeXml(check.title)} <code>${escapeXml(check.id)}</code></summary>
<ul class="rules">${rules}</ul>${message}${known}${renderTranscript(check)}
</details>`
}

const DIRECTION_WORDS = { out: 'request', in: 'answer', note: 'suite' } as const

function renderTranscript({ transcript, cause, message }: CheckReport): string {
  if (transcript.length === 0) return ''
  const marked = cause === null ? new Set<number>() : findFailedExchange(transcript, message ?? '')
  const entries = transcript.map(({ elapsedMs, direction, text }, at) => {
    const isMarked = marked.has(at)
    const what = `${DIRECTION_WORDS[direction]} · ${elapsedMs} ms${isMarked ? ' · <strong>the check failed here</strong>' : ''}`
    return `<figure class="${direction}${isMarked ? ' culprit' : ''}"><figcaption>${what}</figcaption><pre>${escapeXml(text.trimEnd())}</pre></figure>`
  })
  return `<div class="transcript">${entries.join('')}</div>`
}

/**
 * The exchange to mark for a failure: the last request that the message names, with its answer. If the message names
 * none, the last exchange.
 */
export function findFailedExchange(transcript: readonly TranscriptEntry[], message: string): ReadonlySet<number> {
  const isNamed = ({ direction, text }: TranscriptEntry): boolean => {
    const [method = '', path = ''] = text.split(/\s/, 2)
    return direction === 'out' && path !== '' && message.includes(`${method} ${path}`)
  }
  const named = transcript.findLastIndex(isNamed)
  const answer =
    named === -1
      ? transcript.findLastIndex(({ direction }) => direction === 'in')
      : transcript.findIndex(({ direction }, at) => at > named && direction === 'in')
  const request =
    named === -1 ? transcript.findLastIndex(({ direction }, at) => at < answer && direction === 'out') : named
  return new Set([request, answer].filter((at) => at !== -1))
}
