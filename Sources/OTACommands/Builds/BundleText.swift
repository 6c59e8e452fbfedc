import Bundles
import Bytes
import Foundation
import Inspection
import Releases

/// One bundle in full: its code, signer, profile and entitlements.
struct BundleText {
    let bundle: InspectedBundle
    /// The signers of the app that contains the bundle; nil for the app itself.
    let appSigners: [CertificateSummary]?
    let udids: Bool
    /// Whether the only problem with the build's signatures is their signer.
    let lacksTrustOnly: Bool
    let width: Int
    let date: Date

    func text(_ fields: Fields) -> String {
        let style = fields.style
        var lines = [style.strong(bundle.path.printable)]
        if let signature = bundle.signature {
            lines += signature.slices.map { fields.line("code", words(for: $0)) }
            lines += signatureLines(signature, fields)
        } else {
            lines.append(fields.line("code", "none", paint: style.faint))
        }
        if let profile = bundle.profile {
            lines += profileLines(profile, fields)
        } else if bundle.kind.hasOwnProfile {
            lines.append(fields.line("profile", "missing or unreadable", paint: style.bad))
        }
        let entitlements = EntitlementColumns(
            entitlements: bundle.signature?.entitlements ?? [],
            hasProfile: bundle.profile != nil,
            width: width,
        )
        return (lines + entitlements.lines(style: style)).joined(separator: "\n")
    }

    /// Such as `arm64 for iOS 15.0 or later, SDK 18.0, 1.2 MB`.
    private func words(for slice: SliceSummary) -> String {
        var parts = [slice.architecture]
        if let platform = slice.platform {
            parts[0] += " for \(platform)" + (slice.minimumOS.map { " \($0) or later" } ?? "")
        }
        if let sdk = slice.sdk { parts.append("SDK \(sdk)") }
        parts.append(Wording.size(slice.size))
        if slice.isEncrypted { parts.append("encrypted for one App Store account") }
        return parts.joined(separator: ", ")
    }

    private func signatureLines(_ signature: SignatureSummary, _ fields: Fields) -> [String] {
        let style = fields.style
        guard let identifier = signature.identifier else {
            return [fields.line("signature", "missing or unreadable", paint: style.bad)]
        }
        let team = signature.team.map { " for team \($0)" } ?? ""
        let state =
            switch (signature.isIntact, lacksTrustOnly) {
            case (true, _): fields.line("signature", "intact", paint: style.good)
            case (_, true):
                fields.line("signature", "intact, and not from Apple", paint: style.warning)
            case (_, false):
                fields.line("signature", "invalid; run `ota validate`", paint: style.bad)
            }
        var lines = [
            state,
            fields.line("signed as", identifier + team),
        ]
        if let codeHash = signature.codeHash {
            let hash = signature.hash.map { ", \($0)" } ?? ""
            lines.append(fields.line("code hash", codeHash + hash))
        }
        guard signature.signers.isEmpty || signature.signers != appSigners else {
            return lines + [fields.line("signed by", "the same as the app")]
        }
        for (index, signer) in signature.signers.enumerated() {
            let isOver = signer.expires < date && index < signature.signers.count - 1
            lines.append(
                fields.line(
                    index == 0 ? "signed by" : "  issued by",
                    "\(signer.name), until \(Wording.day(signer.expires))",
                    paint: isOver ? style.bad : { $0 },
                )
            )
        }
        return lines
    }

    private func profileLines(_ profile: ProfileSummary, _ fields: Fields) -> [String] {
        let style = fields.style
        let trust =
            switch profile.trust {
            case .apple: fields.line("verified", "signed by Apple", paint: style.good)
            case .privateAuthority(let name):
                fields.line("verified", "signed by \(name)", paint: style.warning)
            case .unverified(let reason): fields.line("unverified", reason, paint: style.bad)
            }
        let expires = Wording.distance(to: profile.expires, from: date)
        var lines = [
            fields.line("profile", "\(profile.name) (\(profile.uuid))"), trust,
            fields.line("type", profile.type.title),
            fields.line("team", "\(profile.teamName) (\(profile.team))"),
            fields.line("grants", profile.applicationIdentifier ?? "–"),
            fields.line(
                "expires",
                "\(Wording.day(profile.expires)), \(expires)",
                paint: profile.expires <= date ? style.bad : { $0 },
            ),
        ]
        if let devices = profile.devices {
            lines.append(fields.line("devices", devices.count.grouped))
            if udids { lines += devices.map { "    \($0)" } }
        }
        return lines
    }
}
