const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for a page or a document of XML. What XML cannot hold, such as NUL, becomes a question mark. */
export const escapeXml = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no XML may hold
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '?')
