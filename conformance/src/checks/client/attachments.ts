import { lost, problem, respond } from '../../kit/client/answers.ts'
import type { ClientCheck } from '../../kit/client/client-context.ts'
import { expectEqual, expectError } from '../../kit/client/expect.ts'

const RESOURCE = '/api/v1/resources/res_1'
const notFound = problem(404, 'NOT_FOUND')

/** What a client does about attachments. */
export const checks: readonly ClientCheck[] = [
  {
    id: 'attachments/deletion-is-repeated',
    title: 'a deletion whose answer was lost is sent again',
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
    title: 'a deletion whose answer was lost has been done when the next one is 404',
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
    title: 'a deletion whose first request is 404 is refused',
    rules: ['RES-25'],
    needs: ['delete_resource'],
    run: async ({ gateway, open }) => {
      gateway.on('DELETE', RESOURCE, notFound)
      await expectError('The deletion', (await open()).call('delete_resource', { resource_id: 'res_1' }), 'refused')
    },
  },
]
