import { topicOf } from '../kit/rules.ts'
import { escapeXml } from './escape-xml.ts'
import { renderCheck } from './html-check.ts'
import { renderRules } from './html-rules.ts'
import { FILTER_SCRIPT } from './html-script.ts'
import { HTML_STYLE } from './html-style.ts'
import { STATUSES, type Status } from './status.ts'
import type { CheckReport, SuiteReport, TopicCoverage } from './suite-report.ts'
import { describeExtent, describePacing, STATUS_WORDS, toneOf, verdictOf } from './verdict.ts'

interface Section {
  readonly id: string
  readonly title: string
  /** If empty, the section is omitted. */
  readonly body: string
}

/** A self-contained page: verdict, coverage by topic, findings, unexamined and passed checks, and the rules. */
export function renderHtml(report: SuiteReport): string {
  const { target, profile, subject, counts, startedAt, durationMs, judgement } = report
  const verdict = verdictOf(judgement)
  const pacing = describePacing(report)
  const sections = sectionsOf(report).filter(({ body }) => body !== '')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(`${verdict}: ${subject}`)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header class="${toneOf(judgement)}">
<p class="eyebrow">Conversation Gateway conformance · ${escapeXml(target)} · ${profile === 'core' ? 'core' : 'core and reference'}</p>
<h1>${escapeXml(verdict)}</h1>
<p class="extent">${escapeXml(describeExtent(judgement))}</p>
<p class="subject">${escapeXml(subject)}</p>${pacing === null ? '' : `\n<p class="subject">${escapeXml(pacing)}</p>`}
<ul class="counts">${STATUSES.toReversed()
    .filter((status) => counts[status] > 0 || status === 'failed' || status === 'passed')
    .map((status) => `<li class="${status}"><b>${counts[status]}</b> ${STATUS_WORDS[status]}</li>`)
    .join('')}</ul>
<nav aria-label="Contents"><ul>${sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join('')}</ul></nav>
${renderFilter(counts)}
</header>
<main>
${sections.map(({ id, title, body }) => `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${body}\n</section>`).join('\n')}
</main>
<footer><p>${escapeXml(startedAt)}, ${(durationMs / 1000).toFixed(1)} s · suite ${escapeXml(report.suiteVersion)} · contract <code>${report.contractSha256.slice(0, 16)}</code></p></footer>
<script>${FILTER_SCRIPT}</script>
</body>
</html>
`
}

const UNEXAMINED = ['not-run', 'untestable'] as const satisfies readonly Status[]
const FINDINGS = STATUSES.filter((status) => status !== 'passed' && !UNEXAMINED.some((other) => other === status))

function sectionsOf(report: SuiteReport): Section[] {
  const { checks, coverage } = report
  const withStatus = (...statuses: readonly Status[]): CheckReport[] =>
    statuses.flatMap((status) => checks.filter((check) => check.status === status))
  const findings = withStatus(...FINDINGS)
  // Only one transcript is open at first, because many open ones would make the page unreadable.
  const opened = findings[0]?.status === 'failed' ? findings[0].id : null
  return [
    { id: 'coverage', title: 'Coverage', body: renderCoverage(coverage, checks) },
    { id: 'stale', title: 'Stale in the baseline', body: renderStale(report) },
    { id: 'causes', title: 'Causes', body: renderCauses(report) },
    {
      id: 'findings',
      title: 'Findings',
      body:
        findings.length === 0
          ? '<p>None of the examined checks failed.</p>'
          : findings.map((check) => renderCheck(check, check.id === opened)).join('\n'),
    },
    { id: 'not-examined', title: 'Not examined', body: renderByReason(withStatus(...UNEXAMINED)) },
    { id: 'passed', title: 'Passed', body: renderByTopic(withStatus('passed'), coverage) },
    { id: 'rules', title: 'Rules', body: renderRules(checks) },
  ]
}

const renderFilter = (counts: SuiteReport['counts']): string =>
  `<form id="filter" hidden><label>Find <input type="search" name="text" placeholder="check, rule or word"></label>
<label>Show <select name="status"><option value="">every check</option>${STATUSES.filter((status) => counts[status] > 0)
    .map((status) => `<option value="${status}">${STATUS_WORDS[status]} (${counts[status]})</option>`)
    .join('')}</select></label> <output></output></form>`

/** The common causes of several failures. */
const renderCauses = ({ causes }: SuiteReport): string => {
  const shared = causes.filter(({ checks }) => checks.length > 1)
  if (shared.length === 0) return ''
  const items = shared.map(
    ({ cause, checks }) =>
      `<li><b>${checks.length}</b> checks: ${escapeXml(cause)}<br>${checks.map((id) => `<a href="#${escapeXml(id)}"><code>${escapeXml(id)}</code></a>`).join(' ')}</li>`,
  )
  return `<ul>${items.join('')}</ul>`
}

const renderStale = ({ staleBaseline }: SuiteReport): string =>
  staleBaseline.length === 0
    ? ''
    : `<ul>${staleBaseline
        .map(({ check, why }) => `<li><code>${escapeXml(check)}</code>: ${escapeXml(why)}</li>`)
        .join('')}</ul>`

const renderByReason = (checks: readonly CheckReport[]): string =>
  [...Map.groupBy(checks, ({ message }) => message ?? '')]
    .map(
      ([reason, some]) =>
        `<div class="group"><h3>${escapeXml(reason)} <small>${some.length}</small></h3>\n${some.map((check) => renderCheck(check)).join('\n')}</div>`,
    )
    .join('\n')

const topicOfReport = ({ rules }: CheckReport): string => topicOf(rules[0] ?? '')

const renderByTopic = (checks: readonly CheckReport[], coverage: readonly TopicCoverage[]): string =>
  coverage
    .map(({ topic, title }) => ({ topic, title, some: checks.filter((check) => topicOfReport(check) === topic) }))
    .filter(({ some }) => some.length > 0)
    .map(
      ({ topic, title, some }) =>
        `<div class="group"><h3 id="passed-${topic}">${escapeXml(title)} <small>${some.length}</small></h3>\n${some.map((check) => renderCheck(check)).join('\n')}</div>`,
    )
    .join('\n')

const HEADS = ['Topic', 'Rules', 'Passed', 'Broken', 'Not testable here', 'Not examined'] as const

const renderCoverage = (
  coverage: readonly TopicCoverage[],
  checks: readonly CheckReport[],
): string => `<div class="scroll"><table>
<thead><tr>${HEADS.map((head) => `<th scope="col">${head}</th>`).join('')}<th scope="col"><span class="hidden">Share</span></th></tr></thead>
<tbody>${coverage
  .map((topic) =>
    renderTopic(
      topic,
      checks.some((check) => check.status === 'passed' && topicOfReport(check) === topic.topic),
    ),
  )
  .join('\n')}</tbody></table></div>`

const renderTopic = (coverage: TopicCoverage, hasPassed: boolean): string => {
  const { topic, title, rules, passed, broken, untestable, unexamined } = coverage
  const share = (count: number, name: string): string =>
    count === 0 ? '' : `<i class="${name}" style="flex:${count}"></i>`
  const bar =
    share(passed, 'passed') + share(broken, 'failed') + share(untestable, 'untestable') + share(unexamined, 'none')
  const name = hasPassed ? `<a href="#passed-${topic}">${escapeXml(title)}</a>` : escapeXml(title)
  return `<tr><th scope="row">${name} <code>${topic}</code></th><td>${rules}</td><td>${passed}</td><td>${broken}</td><td>${untestable}</td><td>${unexamined}</td><td><span class="bar" aria-hidden="true">${bar}</span></td></tr>`
}
