/**
 * The methods of an operator's client. `createAdminClient` returns an object with one member for each of these
 * classes.
 *
 * @module
 */
export type * from '../../../sdk/src/generated/admin-namespaces.ts'
