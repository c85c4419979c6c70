import type { Fault } from '@conversation-gateway/openapi/behaviour/refusal'
import type { Bootstrap } from '@conversation-gateway/openapi/generated/bootstrap'
import type { SecretBox } from '../../domain/secret-box.ts'
import type { Queryable } from '../../store/db.ts'
import type { SealedSecrets } from '../../store/secret-columns.ts'
import type { GatewayContext } from '../context.ts'
import type { ServiceRef } from '../secrets/signing-secret.ts'
import { sealServiceSecret, serviceSecretContext } from '../secrets/signing-secret.ts'
import { isMaskedUrl } from '../secrets/stored-assistant.ts'
import { isIncomingSecret } from '../secrets/used-secrets.ts'
import type { FileSecretVerdict } from './bootstrap-secret.ts'
import { judgeFileSecret, requireSecrets } from './bootstrap-secret.ts'
import { fileSecretContext, sealFileSecret } from './file-secret.ts'

/** The faults of a bootstrap file's services: incomplete `http` assistants and forbidden secrets. */
export const findServiceFaults = async (
  { secrets }: Pick<GatewayContext, 'secrets'>,
  db: Queryable,
  { endpoints = [], webhooks = [] }: Bootstrap,
): Promise<Fault[]> => {
  const faults: Fault[] = []
  for (const [index, { app_id, assistant, secret }] of endpoints.entries()) {
    const fault = (member: string, message: string) =>
      faults.push({ pointer: `/endpoints/${index}/${member}`, message })
    const isHttp = assistant?.type === 'http'
    if (!isHttp && secret === undefined) continue
    if (secrets === null) fault('assistant', 'needs GATEWAY_SECRET_KEY, which encrypts the stored secret')
    if (isHttp && secret === undefined)
      fault('secret', 'must be given, since it signs the requests to the http assistant')
    if (!isHttp) fault('secret', 'is only allowed with an http assistant')
    if (isMaskedUrl(assistant, undefined)) fault('assistant/url', 'must contain its whole query instead of ***')
    const isIncoming =
      secret !== undefined &&
      (webhooks.some((webhook) => webhook.secret === secret) || (await isIncomingSecret(secrets, db, app_id, secret)))
    if (isIncoming) fault('secret', 'must be different from the secret of an incoming webhook')
  }
  return faults
}

/** The signing secret of a service after the file is applied; a rotated secret stays until the file has another one. */
export const judgeServiceSecret = (
  box: SecretBox | null,
  service: ServiceRef,
  stored: SealedSecrets | null,
  secret: string | undefined,
): { readonly kind: FileSecretVerdict['kind']; readonly signing: SealedSecrets | null } => {
  if (secret === undefined) return { kind: 'equal', signing: stored }
  const secrets = requireSecrets(box)
  const fileContext = fileSecretContext('service', `${service.appId}/${service.endpointId}`)
  const fresh = (sealedFileSecret: Uint8Array): SealedSecrets => ({
    sealedSecret: sealServiceSecret(secrets, service, secret),
    previousSecret: null,
    sealedFileSecret,
  })
  if (stored === null) return { kind: 'edited', signing: fresh(sealFileSecret(secrets, fileContext, secret)) }
  const context = serviceSecretContext(service)
  const { kind, sealedFileSecret } = judgeFileSecret(secrets, context, fileContext, stored, secret)
  return { kind, signing: kind === 'edited' ? fresh(sealedFileSecret) : { ...stored, sealedFileSecret } }
}
