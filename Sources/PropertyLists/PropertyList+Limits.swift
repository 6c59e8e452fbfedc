extension PropertyList {
    /// Limits on the work that reading a property list may take.
    ///
    /// In the binary form objects can share others, so 221 bytes can stand for ten million values.
    /// Objects and content are therefore counted on every visit.
    package struct Limits: Equatable, Sendable {
        /// The maximum size of the document in bytes.
        package var bytes: Int
        /// The maximum depth of nested containers.
        package var depth: Int
        /// The maximum number of keys and values visited.
        package var objects: Int
        /// The maximum number of bytes of text and data copied from the document.
        package var content: Int

        package init(bytes: Int, depth: Int, objects: Int, content: Int) {
            self.bytes = bytes
            self.depth = depth
            self.objects = objects
            self.content = content
        }

        /// For an Info.plist; real ones have less than 100 KiB.
        package static let infoPlist = Limits(
            bytes: 2 << 20,
            depth: 64,
            objects: 100_000,
            content: 8 << 20,
        )

        /// For the content of a provisioning profile: certificates, up to a few hundred devices, and
        /// entitlements.
        package static let profile = Limits(
            bytes: 4 << 20,
            depth: 64,
            objects: 100_000,
            content: 8 << 20,
        )

        /// For the message of an enrolling device: a flat, untrusted dictionary of strings.
        package static let enrolment = Limits(
            bytes: 64 << 10,
            depth: 32,
            objects: 2_000,
            content: 128 << 10,
        )

        /// For an install manifest.
        package static let manifest = Limits(
            bytes: 256 << 10,
            depth: 32,
            objects: 10_000,
            content: 512 << 10,
        )

        /// For a resource seal, which lists every file of a bundle twice.
        package static let codeResources = Limits(
            bytes: 64 << 20,
            depth: 32,
            objects: 4_000_000,
            content: 64 << 20,
        )
    }
}
