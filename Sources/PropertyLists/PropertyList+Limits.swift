extension PropertyList {
    /// How much a property list may ask of its reader.
    ///
    /// The binary form lets objects share one another, so 221 bytes can stand for ten million
    /// values. Objects and content are therefore counted each time they are visited.
    package struct Limits: Equatable, Sendable {
        /// The size of the document, in bytes.
        package var bytes: Int
        /// How many containers may enclose one another.
        package var depth: Int
        /// How many keys and values are visited.
        package var objects: Int
        /// How many bytes of text and data are copied out of the document.
        package var content: Int

        package init(bytes: Int, depth: Int, objects: Int, content: Int) {
            self.bytes = bytes
            self.depth = depth
            self.objects = objects
            self.content = content
        }

        /// An Info.plist; real ones stay below 100 KiB.
        package static let infoPlist = Limits(
            bytes: 2 << 20,
            depth: 64,
            objects: 100_000,
            content: 8 << 20,
        )

        /// The content of a provisioning profile: certificates, up to some hundred devices and
        /// entitlements.
        package static let profile = Limits(
            bytes: 4 << 20,
            depth: 64,
            objects: 100_000,
            content: 8 << 20,
        )

        /// What a phone posts to enrol: a flat dictionary of strings, from a stranger.
        package static let enrolment = Limits(
            bytes: 64 << 10,
            depth: 32,
            objects: 2_000,
            content: 128 << 10,
        )

        /// An install manifest.
        package static let manifest = Limits(
            bytes: 256 << 10,
            depth: 32,
            objects: 10_000,
            content: 512 << 10,
        )

        /// A resource seal, which lists every file of a bundle twice.
        package static let codeResources = Limits(
            bytes: 64 << 20,
            depth: 32,
            objects: 4_000_000,
            content: 64 << 20,
        )
    }
}
