import { lost, problem, respond } from '../../kit/client/answers.ts'
import type { ClientCheck } from '../../kit/client/client-context.ts'
import { expectEqual, expectError } from '../../kit/client/expect.ts'

const RESOURCE = '/api/v1/resources/res_1'
const notFound = problem(404, 'NOT_FOUND')

/** How a client handles attachments. */
export const checks: readonly ClientCheck[] = [
  {
    id: 'attachments/deletion-is-repeated',
    title: 'a deletion is repeated if its answer was lost',
    rules: ['RES-25'],
    needs: ['delete_resource'],
    run: async ({ gateway, open }) => {
      gateway.on('DELETE', RESOURCE, lost, respond(204, {}))
      await (await open()).call('delete_resource', { resource_id: 'res_1' })
      expectEqual('The number of requests', gateway.to('DELETE', RESOURCE).length, 2)
    },
  },
  {
    id: 'attachments/repeated-deletion-finds-nothing',
    title: 'after the answer to a deletion was lost, a 404 to the repeated deletion is a success',
    rules: ['RES-25'],
    needs: ['delete_resource'],
    run: async ({ gateway, open }) => {
      gateway.on('DELETE', RESOURCE, lost, notFound)
      await (await open()).call('delete_resource', { resource_id: 'res_1' })
      expectEqual('The number of requests', gateway.to('DELETE', RESOURCE).length, 2)
    },
  },
  {
    id: 'attachments/deletion-of-nothing',
    title: 'a 404 to the first deletion request is an error',
    rules: ['RES-25'],
    needs: ['delete_resource'],
    run: async ({ gateway, open }) => {
      gateway.on('DELETE', RESOURCE, notFound)
      await expectError('The deletion', (await open()).call('delete_resource', { resource_id: 'res_1' }), 'refused')
    },
  },
]
