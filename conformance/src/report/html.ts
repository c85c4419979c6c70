import { RULES } from '../rules.ts'
import { escapeXml } from './escape-xml.ts'
import { HTML_STYLE } from './html-style.ts'
import { STATUSES } from './status.ts'
import type { CheckReport, SuiteReport, TopicCoverage } from './suite-report.ts'
import { STATUS_WORDS } from './verdict.ts'

/** One page that needs nothing else: verdict and counts, coverage by topic, then every check, worst first. */
export function renderHtml(report: SuiteReport): string {
  const { target, profile, subject, conformant, counts, startedAt, durationMs } = report
  const title = `${conformant ? 'Conformant' : 'Not conformant'}: ${subject}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header class="${conformant ? 'good' : 'bad'}">
<p class="eyebrow">Conversation Gateway conformance · ${escapeXml(target)} · ${profile === 'core' ? 'core' : 'core and reference'}</p>
<h1>${conformant ? 'Conformant' : 'Not conformant'}</h1>
<p class="subject">${escapeXml(subject)}</p>
<ul class="counts">${STATUSES.toReversed()
    .filter((status) => counts[status] > 0 || status === 'failed' || status === 'passed')
    .map((status) => `<li class="${status}"><b>${counts[status]}</b> ${STATUS_WORDS[status]}</li>`)
    .join('')}</ul>
</header>
<main>
${renderStale(report)}
${renderCauses(report)}
<section aria-labelledby="findings"><h2 id="findings">Findings</h2>
${renderFindings(report.checks)}
</section>
<section aria-labelledby="coverage"><h2 id="coverage">Coverage</h2>
${renderCoverage(report.coverage)}
</section>
<section aria-labelledby="passed"><h2 id="passed">Passed</h2>
${report.checks
  .filter(({ status }) => status === 'passed')
  .map(renderCheck)
  .join('\n')}
</section>
</main>
<footer><p>${escapeXml(startedAt)}, ${(durationMs / 1000).toFixed(1)} s · suite ${escapeXml(report.suiteVersion)} · contract <code>${report.contractSha256.slice(0, 16)}</code></p></footer>
</body>
</html>
`
}

/** What several failures have in common. */
const renderCauses = ({ causes }: SuiteReport): string => {
  const shared = causes.filter(({ checks }) => checks.length > 1)
  if (shared.length === 0) return ''
  const items = shared.map(
    ({ cause, checks }) =>
      `<li><b>${checks.length}</b> checks: ${escapeXml(cause)}<br>${checks.map((id) => `<a href="#${escapeXml(id)}"><code>${escapeXml(id)}</code></a>`).join(' ')}</li>`,
  )
  return `<section aria-labelledby="causes"><h2 id="causes">Causes</h2><ul>${items.join('')}</ul></section>`
}

const renderFindings = (checks: readonly CheckReport[]): string => {
  const findings = STATUSES.filter((status) => status !== 'passed').flatMap((status) =>
    checks.filter((check) => check.status === status),
  )
  return findings.length === 0 ? '<p>None: everything passed.</p>' : findings.map(renderCheck).join('\n')
}

const renderStale = ({ staleBaseline }: SuiteReport): string =>
  staleBaseline.length === 0
    ? ''
    : `<section aria-labelledby="stale"><h2 id="stale">Stale in the baseline</h2><ul>${staleBaseline
        .map(({ check, why }) => `<li><code>${escapeXml(check)}</code>: ${escapeXml(why)}</li>`)
        .join('')}</ul></section>`

const renderCheck = (check: CheckReport): string => {
  const open = check.status === 'failed' ? ' open' : ''
  const rules = check.rules
    .map(
      (id) =>
        `<li><b>${id}</b> ${escapeXml(RULES.get(id)?.title ?? '')} <span class="level">${check.level}</span> ${escapeXml(RULES.get(id)?.rule ?? '')}</li>`,
    )
    .join('')
  const message = check.message === null ? '' : `<pre class="message">${escapeXml(check.message)}</pre>`
  const known = check.knownReason === null ? '' : `<p>Known: ${escapeXml(check.knownReason)}</p>`
  return `<details class="check ${check.status}" id="${escapeXml(check.id)}"${open}>
<summary><span class="badge">${STATUS_WORDS[check.status]}</span> ${escapeXml(check.title)} <code>${escapeXml(check.id)}</code></summary>
<ul class="rules">${rules}</ul>${message}${known}${renderTranscript(check)}
</details>`
}

const renderTranscript = ({ transcript }: CheckReport): string =>
  transcript.length === 0
    ? ''
    : `<div class="transcript">${transcript
        .map(
          ({ elapsedMs, direction, text }) =>
            `<figure class="${direction}"><figcaption>${{ out: 'request', in: 'answer', note: 'suite' }[direction]} · ${elapsedMs} ms</figcaption><pre>${escapeXml(text.trimEnd())}</pre></figure>`,
        )
        .join('')}</div>`

const renderCoverage = (coverage: readonly TopicCoverage[]): string => `<div class="scroll"><table>
<thead><tr><th scope="col">Topic</th><th scope="col">Rules</th><th scope="col">Passed</th><th scope="col">Broken</th><th scope="col">Not testable here</th><th scope="col">Not examined</th><th scope="col"><span class="hidden">Share</span></th></tr></thead>
<tbody>${coverage.map(renderTopic).join('\n')}</tbody></table></div>`

const renderTopic = ({ topic, title, rules, passed, broken, untestable, unexamined }: TopicCoverage): string => {
  const share = (count: number, name: string): string =>
    count === 0 ? '' : `<i class="${name}" style="flex:${count}"></i>`
  const bar =
    share(passed, 'passed') + share(broken, 'failed') + share(untestable, 'untestable') + share(unexamined, 'none')
  return `<tr><th scope="row">${escapeXml(title)} <code>${topic}</code></th><td>${rules}</td><td>${passed}</td><td>${broken}</td><td>${untestable}</td><td>${unexamined}</td><td><span class="bar" aria-hidden="true">${bar}</span></td></tr>`
}
