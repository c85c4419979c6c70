/**
 * What the methods of an operator's client do. `createAdminClient` gives an object with one member for each of these
 * classes.
 *
 * @module
 */
export type * from '../../../sdk/src/generated/admin-namespaces.ts'
