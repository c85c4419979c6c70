/** The roles of operators; each includes the ones before it. */
export const OPERATOR_ROLES = ['read', 'operate', 'admin'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** Whether the role includes the needed one. */
export const includesRole = (role: OperatorRole, needed: OperatorRole): boolean =>
  OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed)

/** The name of the operator who uses `GATEWAY_ADMIN_TOKEN`. */
export const ENVIRONMENT_OPERATOR = 'GATEWAY_ADMIN_TOKEN'
