import { CONTRACTS, type Contract, objectAddress, operationAddress, parametersOf } from '../contract.ts'
import { listFields } from '../http/fields.ts'
import { page, prose } from '../markdown.ts'

/** The parts of the contracts that are marked as deprecated (D-51). */
export const deprecatedPage = (): string => {
  const items = CONTRACTS.flatMap((contract) => [
    ...operations(contract),
    ...parameters(contract),
    ...members(contract),
  ])
  return page({ title: 'Deprecated', description: 'The parts of the contracts that new code should not use.' }, [
    prose(
      'A deprecated operation is marked in the contract, and its answers have the headers `Deprecation` and, once its end is known, `Sunset` (D-51). Nothing is removed within `/api/v1`.',
    ),
    items.length === 0 ? '**Today nothing is deprecated.**' : items.map((item) => `- ${item}`).join('\n'),
  ])
}

const operations = (contract: Contract): string[] =>
  contract.operations
    .filter(({ operation }) => operation.deprecated === true)
    .map(
      ({ httpMethod, path, operation }) =>
        `[${operation.operationId}](${operationAddress(contract, operation)}): \`${httpMethod} ${path}\``,
    )

const parameters = (contract: Contract): string[] =>
  contract.operations.flatMap(({ operation }) =>
    parametersOf(contract, operation)
      .filter(({ deprecated }) => deprecated === true)
      .map(({ name }) => `Parameter \`${name}\` of \`${operation.operationId}\``),
  )

const members = (contract: Contract): string[] =>
  Object.entries(contract.document.components.schemas).flatMap(([name, schema]) =>
    listFields(contract, schema, false)
      .filter(({ isDeprecated }) => isDeprecated)
      .map(({ path }) => `\`${path}\` of [${name}](${objectAddress(contract, name)})`),
  )
