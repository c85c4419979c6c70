import { stillInUse } from '../../domain/secret-rotation.ts'
import type { GatewayContext } from '../../gateway/context.ts'
import { sealRunToken } from '../../gateway/secrets/run-token.ts'
import { openServiceSecret } from '../../gateway/secrets/signing-secret.ts'
import { openAssistantUrl } from '../../gateway/secrets/stored-assistant.ts'
import { findService } from '../../store/admin/services.ts'
import type { Assistant } from '../assistant.ts'
import type { StoredHttpAssistant } from '../registry.ts'
import type { HttpTarget, HttpTools } from './http.ts'
import { createHttp } from './http.ts'

/** Default timeout for the beginning of an answer. */
const FIRST_BYTE_SECONDS = 300

/**
 * Makes `http` assistants, whose URLs and secrets are decrypted for each run, so a rotation applies from the next run
 * on.
 */
export const createHttpSource =
  (context: Pick<GatewayContext, 'db' | 'clock' | 'secrets'>, tools: Omit<HttpTools, 'nowMs'>) =>
  (stored: StoredHttpAssistant): Assistant =>
    createHttp(
      {
        openTarget: (service) => openTarget(context, service, stored),
        tokenOf: (run) => {
          // The service was published with a key, which may have been removed since.
          if (context.secrets === null) throw new Error('GATEWAY_SECRET_KEY is not set, and http assistants need it.')
          return sealRunToken(context.secrets, run)
        },
        firstByteMs: 1000 * (stored.first_byte_seconds ?? FIRST_BYTE_SECONDS),
      },
      { ...tools, nowMs: () => context.clock.now().getTime() },
    )

/**
 * The URL and signing secret of a service. During the overlap of a rotation, the old secret signs.
 * @throws Error that says why these are missing or cannot be decrypted.
 */
export const openTarget = async (
  { db, clock, secrets }: Pick<GatewayContext, 'db' | 'clock' | 'secrets'>,
  service: { readonly appId: string; readonly endpointId: string },
  stored: Pick<StoredHttpAssistant, 'url' | 'sealed_query'>,
): Promise<HttpTarget> => {
  const signing = (await findService(db, service.appId, service.endpointId))?.signing
  if (!signing) throw new Error(`The service ${service.endpointId} has no secret to sign its requests with.`)
  const sealed = stillInUse(signing.previousSecret, clock.now())?.sealed ?? signing.sealedSecret
  return { url: openAssistantUrl(secrets, service, stored), secret: openServiceSecret(secrets, service, sealed) }
}
