import {
  type Components,
  type Document,
  METHODS,
  type Method,
  type Operation,
  type Parameter,
  type PathItem,
  resolveIn,
} from '../document/document.ts'

/**
 * Reduces operations to the parts whose types are used: parameters, body, and successful answers. Query parameters keep
 * their descriptions, because they become named types.
 */
export const reduceOperations = ({ webhooks: _, ...document }: Document): Document => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path, reduceItem(item, document.components)]),
  ),
})

const reduceItem = (item: PathItem, components: Components): PathItem =>
  Object.fromEntries(
    METHODS.flatMap((method): [Method, Operation][] => {
      const operation = item[method]
      return operation ? [[method, reduceOperation(operation, components)]] : []
    }),
  )

const reduceOperation = (
  { summary: _summary, description: _description, ...operation }: Operation,
  components: Components,
): Operation => ({
  ...operation,
  parameters: operation.parameters?.map((each) => reduceParameter(resolveIn(components.parameters, each))) ?? [],
  responses: Object.fromEntries(
    Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, response]) => {
        const { content } = resolveIn(components.responses, response)
        return [status, { description: '', ...(content ? { content } : {}) }]
      }),
  ),
})

const reduceParameter = (parameter: Parameter): Parameter => {
  if (parameter.in === 'query') return parameter
  const { name, in: place, required, schema } = parameter
  return { name, in: place, required, schema }
}
