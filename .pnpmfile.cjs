// The packages with the Node binaries write their platform as a text, which pnpm does not understand: it would install all of them.
const NODE_BINARY = /^node-(linux|win)-/

module.exports = {
  hooks: {
    readPackage: (manifest) =>
      NODE_BINARY.test(manifest.name)
        ? { ...manifest, os: [manifest.os].flat(), cpu: [manifest.cpu].flat() }
        : manifest,
  },
}
