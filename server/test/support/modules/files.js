/** Answers with a copy of each attachment, in capitals. */
export default async function* ({ input, readResource, createResource }) {
  const resourceIds = []
  for (const resourceId of input.resourceIds) {
    const resource = await readResource(resourceId)
    if (resource === null) return { state: 'failed', error: { code: 'NO_FILE', message: resourceId, retryable: false } }
    const text = new TextDecoder().decode(await resource.readContent())
    yield { delta: `${resource.filename} (${resource.contentType}, ${resource.size}) ` }
    const content = new TextEncoder().encode(text.toUpperCase())
    resourceIds.push(
      await createResource({ filename: input.text ?? resource.filename, contentType: 'text/plain', content }),
    )
  }
  return { state: 'succeeded', resourceIds }
}
