import type { Resource } from '../generated/gateway.ts'
import { Resources } from '../generated/namespaces.ts'
import { CALL_OPTIONS, checkNames, type MutationOptions } from './options.ts'
import { readUpload, type Upload, type UploadAbout } from './upload.ts'

/** Options of `resources.upload()`. */
export interface UploadOptions extends UploadAbout, MutationOptions {}

const UPLOAD_OPTIONS: Readonly<Record<keyof UploadOptions, 1>> = {
  ...CALL_OPTIONS,
  filename: 1,
  content_type: 1,
  sha256: 1,
}

/** Attachments, with both upload steps in one call. */
export class UploadedResources extends Resources {
  /**
   * Declares an attachment and sends its content; resolves with the record, which is `ready`. A stream is read to its
   * end first, because the declaration needs the size.
   * @throws {TypeError} the content cannot be an attachment; nothing has been sent.
   * @throws {ApiError | UnknownOutcomeError | NotSentError} as `create` and `putContent`. Call it again with the
   * same `idempotencyKey` to continue with the same attachment.
   */
  async upload(upload: Upload, options: UploadOptions = {}): Promise<Resource> {
    checkNames(options, UPLOAD_OPTIONS)
    const { filename, content_type, sha256, ...call } = options
    const { about, content } = await readUpload(upload, { filename, content_type, sha256 })
    const { resource_id } = await this.create(about, call)
    const { idempotencyKey: _key, tag: _tag, ...rest } = call
    return this.putContent(resource_id, content, rest)
  }
}
