import { describe, expect, it } from 'vitest'
import { acceptsType, attachmentFaults, describeAttachmentFault } from './attachments.ts'

describe('the accepted types of a service', () => {
  it.each([
    [['text/*'], 'text/plain', true],
    [['text/*'], 'TEXT/HTML; charset=utf-8', true],
    [['TEXT/*'], 'text/plain', true],
    [['text/plain'], 'text/plain;charset=utf-8', true],
    [['text/plain'], 'text/plainer', false],
    [['text/*'], 'textual/plain', false],
    [['image/png', 'application/pdf'], 'application/pdf', true],
    [['*/*'], 'anything/at-all', true],
    [[], 'text/plain', false],
  ])('%j includes %s: %s', (ranges, contentType, accepted) => {
    expect(acceptsType(ranges, contentType)).toBe(accepted)
  })
})

describe('attachments of an input', () => {
  it('are each refused with their location, and unknown ones like those of another owner', () => {
    const known = [
      { resourceId: 'res_good', contentType: 'text/plain', ready: true },
      { resourceId: 'res_pending', contentType: 'text/plain', ready: false },
      { resourceId: 'res_image', contentType: 'image/png; x=y', ready: true },
    ]
    expect(attachmentFaults(['res_good', 'res_unknown', 'res_pending', 'res_image'], known, ['text/*'])).toEqual([
      { pointer: '/input/resource_ids/1', message: 'is not an attachment of this application and subject' },
      { pointer: '/input/resource_ids/2', message: 'is not ready: its content has not been uploaded' },
      { pointer: '/input/resource_ids/3', message: 'is image/png; the service accepts text/*' },
    ])
    expect(attachmentFaults(['res_good'], known, [])).toEqual([
      { pointer: '/input/resource_ids/0', message: 'is text/plain; the service accepts no attachments' },
    ])
  })
})

describe('an attachment that an assistant creates', () => {
  const good = { filename: 'Übersicht 1.txt', contentType: 'text/plain; charset=utf-8', size: 1 }

  it('has a plain name, a media type and 1 byte to 16 MiB', () => {
    expect(describeAttachmentFault(good)).toBeNull()
    expect(describeAttachmentFault({ ...good, size: 16 * 1024 * 1024 })).toBeNull()
  })

  it.each([
    [{ filename: '' }, 'file name'],
    [{ filename: 'x'.repeat(256) }, 'file name'],
    [{ filename: '../etc/passwd' }, 'file name'],
    [{ filename: 'a\\b' }, 'file name'],
    [{ filename: 'a\0' }, 'file name'],
    [{ filename: '\ud800' }, 'file name'],
    [{ contentType: 'text' }, 'content type'],
    [{ contentType: 'text/plain\r\nx: y' }, 'content type'],
    [{ contentType: `text/${'x'.repeat(255)}` }, 'content type'],
    [{ size: 0 }, 'bytes'],
    [{ size: 16 * 1024 * 1024 + 1 }, 'bytes'],
  ])('is refused with %j', (wrong, message) => {
    expect(describeAttachmentFault({ ...good, ...wrong })).toContain(message)
  })
})
