package import Bundles
package import Zip

/// An archive of which no report can be made, with the findings that say why.
package struct UnreadableArchive: Error, Codable, Equatable, Sendable {
    /// One or more, all of which block.
    package let findings: [Finding]

    package init(_ refusal: ZipRefusal) {
        findings = [Finding(refusal)]
    }

    package init(_ refusal: BundleRefusal) {
        findings = [Finding(refusal)]
    }

    package var verdict: DeviceVerdict { DeviceVerdict(verdict: .blocked, findings: findings) }
}

extension UnreadableArchive: CustomStringConvertible {
    package var description: String { findings.map(\.message).joined(separator: " ") }
}
