import { RULES } from '../kit/rules.ts'
import { escapeXml } from './escape-xml.ts'
import type { CheckReport } from './suite-report.ts'

/** All rules that the checks cite, grouped by their source sections, so that each finding links to its source. */
export function renderRules(checks: readonly CheckReport[]): string {
  const cited = new Set(checks.flatMap(({ rules }) => rules))
  const rules = [...RULES.values()].filter(({ id }) => cited.has(id))
  return [...Map.groupBy(rules, ({ where }) => where)]
    .map(
      ([where, some]) =>
        `<details class="source"><summary>${escapeXml(nameSource(where))} <small>${some.length}</small></summary><dl>${some
          .map(
            ({ id, title, level, rule }) =>
              `<dt id="rule-${id}"><b>${id}</b> ${escapeXml(title)} <span class="level">${level}</span></dt><dd>${escapeXml(rule)}</dd>`,
          )
          .join('')}</dl></details>`,
    )
    .join('\n')
}

/** A section of the specification, or a decision of the reference gateway. */
const nameSource = (where: string): string => (/^D-\d+/.test(where) ? `Decision ${where}` : `Specification, ${where}`)
