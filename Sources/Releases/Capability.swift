import Bundles
import Bytes
import Cryptography
package import Foundation
package import Identifiers

/// The verified right to fetch the files of one release; only ``CapabilityAuthority`` creates one.
package struct Capability: Equatable, Sendable {
    package let app: BundleIdentifier
    package let release: ReleaseIdentifier
    /// The reference of the only device that may use it; nil for any device.
    package let device: String?
    /// The identifier of the tester's session to which it is bound; nil for none.
    package let session: String?
    package let expires: Date
    /// Whether it grants access to the manifest too.
    ///
    /// A link inside a manifest grants access to the files that the manifest names, but not to a new
    /// manifest; otherwise links could be renewed forever.
    package let opensManifest: Bool
    /// The start of the IPA's digest: other bytes with the same version need another capability.
    fileprivate let digestPrefix: [UInt8]

    /// The release with the capability's IPA as its current one; nil for another release, for bytes that
    /// were replaced, and if the bytes are no longer stored.
    ///
    /// If a release is signed again meanwhile, a phone still gets the IPA that its manifest describes. A
    /// new manifest describes the newest: ``opensNewest(of:)``.
    package func opened(_ release: Release) -> Release? {
        guard names(release) else { return nil }
        return release.offering { CapabilityAuthority.prefix(of: $0.sha256) == digestPrefix }
    }

    /// Whether it was made for an IPA that the release has, or had before it was signed again.
    package func opensNewest(of release: Release) -> Bool {
        names(release)
            && release.archives.contains {
                CapabilityAuthority.prefix(of: $0.sha256) == digestPrefix
            }
    }

    private func names(_ release: Release) -> Bool {
        app == release.bundleIdentifier && self.release == release.identifier
    }
}

/// Why a path under `/install/` is not accepted; the server turns it into a `Refusal`.
package enum RefusedCapability: Error, Equatable, Sendable {
    /// Forged or altered.
    case notOurs
    case expired
}

/// Creates and verifies the path components that authorise an install.
///
/// The installer sends no cookies, so the path itself must prove the right: what it grants, until when, and
/// an authentication code that only the holder of the store's key can compute. In base64url:
///
///     version        1 byte: 1, or 2 with a device; 3 and 4 the same, but not for the manifest; 5 to 8
///                    the same with a session
///     expiry         4 bytes, quarter hours since 1970, big-endian
///     digest         8 bytes, the front of the IPA's SHA-256
///     device         12 bytes, in even versions: the reference to the device that may use it
///     session        16 bytes, from version 5 on: what tells the tester's session from others
///     release        UTF-8, bundle identifier "/" release identifier
///     code           16 bytes, the front of HMAC-SHA256 over all before
///
/// Two capabilities created in the same quarter hour for the same release and device are equal, so that
/// pages and manifests stay identical and can be cached.
package struct CapabilityAuthority: Sendable {
    private static let versions: ClosedRange<UInt8> = 1...8
    // Flags that are added to the first version.
    private static let withDevice: UInt8 = 1
    private static let withoutManifest: UInt8 = 2
    private static let withSession: UInt8 = 4
    private static let referenceLength = 12
    private static let sessionLength = 16
    private static let quarterHour = 900
    private static let codeLength = 16
    private static let longest = 512

    private let key: [UInt8]
    /// See ``init(key:lifetime:)``.
    package let lifetime: Int

    /// - Parameters:
    ///   - key: the store's secret, 32 bytes.
    ///   - lifetime: the minimum lifetime of a capability in seconds; up to a quarter hour is added.
    package init(key: [UInt8], lifetime: Int = 3600) {
        self.key = key
        self.lifetime = lifetime
    }

    /// Returns the path component that grants access to a release's files.
    ///
    /// - Parameters:
    ///   - release: the release.
    ///   - device: the reference of the only device that may use it; nil for any device.
    ///   - session: the identifier of the tester's session to which it is bound; nil for none.
    ///   - opensManifest: false for links in a manifest.
    ///   - date: the current time.
    /// - Returns: a path component.
    package func component(
        for release: Release,
        device: String? = nil,
        session: String? = nil,
        opensManifest: Bool = true,
        at date: Date,
    ) -> String {
        let end = Int(date.timeIntervalSince1970) + lifetime + Self.quarterHour - 1
        let quarters = UInt32(clamping: end / Self.quarterHour)
        let reference = device.flatMap(Hex.decode) ?? []
        let isForOne = reference.count == Self.referenceLength
        // An invalid session identifier becomes zeros, which no session has, so that the link is not valid.
        let person = session.map { Hex.decode($0.dropFirst()) ?? [] }.map { known in
            known.count == Self.sessionLength ? known : Array(repeating: 0, count: 16)
        }
        var version = Self.versions.lowerBound
        if isForOne { version += Self.withDevice }
        if !opensManifest { version += Self.withoutManifest }
        if person != nil { version += Self.withSession }
        var bytes = [version]
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: quarters >> $0) }
        bytes += Self.prefix(of: release.sha256)
        if isForOne { bytes += reference }
        if let person { bytes += person }
        bytes += "\(release.bundleIdentifier.rawValue)/\(release.identifier)".utf8
        return Base64URL.text(bytes + code(over: bytes))
    }

    package func verified(
        _ component: some StringProtocol,
        at date: Date,
    ) throws(RefusedCapability) -> Capability {
        guard component.utf8.count <= Self.longest, let bytes = Base64URL.bytes(component),
            let version = bytes.first, Self.versions.contains(version)
        else { throw .notOurs }
        let parts = version - Self.versions.lowerBound
        let isForOne = parts & Self.withDevice != 0
        let person = 13 + (isForOne ? Self.referenceLength : 0)
        let start = person + (parts & Self.withSession != 0 ? Self.sessionLength : 0)
        guard bytes.count > start + Self.codeLength else { throw .notOurs }
        let signed = Array(bytes.dropLast(Self.codeLength))
        guard constantTimeEqual(code(over: signed), Array(bytes.suffix(Self.codeLength))) else {
            throw .notOurs
        }
        let names = String(decoding: signed[start...], as: UTF8.self).split(separator: "/")
        guard names.count == 2, let app = BundleIdentifier(String(names[0])),
            let release = ReleaseIdentifier(String(names[1]))
        else { throw .notOurs }
        let quarters = signed[1..<5].reduce(0) { $0 << 8 | Int($1) }
        let expires = Date(timeIntervalSince1970: Double(quarters * Self.quarterHour))
        guard date < expires else { throw .expired }
        return Capability(
            app: app,
            release: release,
            device: isForOne ? Hex.encode(signed[13..<person]) : nil,
            session: person < start ? "t" + Hex.encode(signed[person..<start]) : nil,
            expires: expires,
            opensManifest: parts & Self.withoutManifest == 0,
            digestPrefix: Array(signed[5..<13]),
        )
    }

    fileprivate static func prefix(of digest: SHA256Digest) -> [UInt8] {
        Array(digest.bytes.prefix(8))
    }

    private func code(over bytes: [UInt8]) -> [UInt8] {
        Array(
            authenticationCode(of: Array("ota capability\0".utf8) + bytes, key: key)
                .prefix(Self.codeLength)
        )
    }
}
