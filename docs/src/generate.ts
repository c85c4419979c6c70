import { CONTRACTS } from './contract.ts'
import { GENERATED } from './folders.ts'
import { eventsPage } from './http/events-page.ts'
import { limitsPage } from './http/limits-page.ts'
import { objectPages } from './http/objects-page.ts'
import { tagPages } from './http/tag-pages.ts'
import { decisionsByNumberPage, decisionsPage } from './pages/decisions-page.ts'
import { deprecatedPage } from './pages/deprecated-page.ts'
import { errorsPage } from './pages/errors-page.ts'
import { guidesPage } from './pages/guides-page.ts'
import { protocolPages } from './pages/protocol-pages.ts'
import { repositoryPages } from './pages/repository-pages.ts'
import { rulesPages } from './pages/rules-pages.ts'
import { settingsPage } from './pages/settings-page.ts'
import { stateMachinesPage } from './pages/state-machines-page.ts'
import { readProofs } from './proofs.ts'
import { sdkReference } from './sdk-reference.ts'
import { writePages } from './write-pages.ts'

/** Writes every generated page of the site, and the sidebar of the SDK reference. */
export const generate = async (): Promise<void> => {
  const sdk = await sdkReference()
  const files = new Map<string, string>([
    ...CONTRACTS.flatMap((contract): [string, string][] => [...tagPages(contract), ...objectPages(contract)]),
    ['reference/http/events.md', eventsPage()],
    ['reference/limits.md', limitsPage()],
    ['reference/settings.md', settingsPage()],
    ...[...sdk.pages].map(([path, text]): [string, string] => [`reference/${path}`, text]),
    ...protocolPages(),
    ...rulesPages(await readProofs()),
    ['guides/index.md', guidesPage()],
    ['errors.md', errorsPage()],
    ['state-machines.md', await stateMachinesPage()],
    ['decisions.md', decisionsPage()],
    ['decisions-by-number.md', decisionsByNumberPage()],
    ...repositoryPages(),
    ['deprecated.md', deprecatedPage()],
    ['sidebar.json', JSON.stringify({ sdk: sdk.sidebar }, null, 2)],
  ])
  await writePages(GENERATED, files)
}
