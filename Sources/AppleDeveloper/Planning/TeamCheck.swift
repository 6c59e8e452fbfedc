import Bytes
package import Cryptography
package import Essentials
package import Identifiers
import Releases

/// Checks whether a team's account has everything that devices and builds need, with the results in
/// words.
package struct TeamCheck: Sendable, Equatable {
    /// The result of one check.
    package struct Line: Sendable, Equatable {
        package enum Verdict: Sendable, Equatable {
            case good
            /// It works now, but will stop working.
            case warning
            /// It does not work.
            case missing
        }

        package let verdict: Verdict
        /// The result, as a clause.
        package let text: String
        /// How to fix it, as an instruction; empty if nothing must be done.
        package let fix: String

        package init(verdict: Verdict, text: String, fix: String = "") {
            self.verdict = verdict
            self.text = text
            self.fix = fix
        }
    }

    /// A bundle of an app, with the entitlements in its signature.
    package struct Claim: Sendable, Equatable {
        package let bundle: BundleIdentifier
        /// The keys of the entitlements.
        package let entitlements: [String]

        package init(bundle: BundleIdentifier, entitlements: [String]) {
            self.bundle = bundle
            self.entitlements = entitlements
        }
    }

    /// The contents of the account; nil for parts that the key is not allowed to read.
    package struct Account: Sendable, Equatable {
        package var devices: [AccountDevice]?
        package var certificates: [AccountCertificate]?
        package var bundleIDs: [AccountBundleID]?
        /// The capabilities of the checked App IDs.
        package var capabilities: [ResourceID: [AccountCapability]]

        package init(
            devices: [AccountDevice]?,
            certificates: [AccountCertificate]?,
            bundleIDs: [AccountBundleID]?,
            capabilities: [ResourceID: [AccountCapability]],
        ) {
            self.devices = devices
            self.certificates = certificates
            self.bundleIDs = bundleIDs
            self.capabilities = capabilities
        }
    }

    package let lines: [Line]

    package var isGood: Bool { lines.allSatisfy { $0.verdict == .good } }

    /// - Parameters:
    ///   - account: the contents of the account.
    ///   - claims: the entitlements of the team's apps.
    ///   - key: the signing key; nil for none.
    ///   - counted: the used slots by this server's count; empty if it does not count.
    ///   - date: the present.
    ///   - days: how many days before expiry something is renewed.
    package init(
        _ account: Account,
        for claims: [Claim],
        signingWith key: PrivateKey?,
        counting counted: [ProductFamily: Int] = [:],
        at date: Date,
        renewingBefore days: Double,
    ) {
        var lines: [Line] = []
        if let certificates = account.certificates {
            lines.append(Self.certificate(certificates, key, date, days))
        }
        if let devices = account.devices { lines += Self.slots(devices, counted) }
        if let bundleIDs = account.bundleIDs {
            lines += claims.sorted { $0.bundle.rawValue < $1.bundle.rawValue }
                .flatMap { Self.appID(for: $0, bundleIDs, account.capabilities) }
        }
        self.lines = lines
    }

    private static func certificate(
        _ certificates: [AccountCertificate],
        _ key: PrivateKey?,
        _ date: Date,
        _ days: Double,
    ) -> Line {
        let count = Wording.count(certificates.count, "distribution certificate")
        guard let key else {
            return Line(
                verdict: .missing,
                text: "this server has no private key to sign with; the account has \(count)",
                fix: "let this server create a certificate, or add an identity to the team",
            )
        }
        switch CertificatePlan(
            for: key,
            among: certificates,
            at: date,
            renewingBefore: days,
        ) {
        case .keep(let certificate):
            let end = certificate.expires.map { " until \(Wording.day($0))" } ?? ""
            return Line(
                verdict: .good,
                text: "the certificate \(quoted: certificate.name) is valid\(end)",
                fix: "",
            )
        case .renew(let certificate, let end):
            return Line(
                verdict: .warning,
                text: "the certificate \(quoted: certificate.name) expires on \(Wording.day(end))",
                fix: "let this server create another one; both stay valid until then",
            )
        case .create:
            return Line(
                verdict: .missing,
                text: "the account has \(count), but none for the key of this server",
                fix: "let this server create a certificate, or add an identity to the team",
            )
        }
    }

    private static func slots(
        _ devices: [AccountDevice],
        _ counted: [ProductFamily: Int],
    ) -> [Line] {
        let slots = AccountSlots(devices)
        let families = ProductFamily.allCases.filter {
            $0 == .iphone || $0 == .ipad || slots.used[$0] != nil
        }
        return families.map { family in
            let left = slots.left(family)
            let title = "\(family.title) slot"
            // Apple's list decides, because an admin may have added devices there by hand.
            let (there, here) = (slots.used[family, default: 0], counted[family])
            let difference =
                here.map { $0 == there ? "" : "; Apple counts \(there), this server \($0)" } ?? ""
            return Line(
                verdict: left == 0 ? .missing : left < 10 ? .warning : .good,
                text: left == 0
                    ? "no \(title) is left" + difference
                    : "\(Wording.count(left, title)) left of \(DeviceRegister.slotLimit)"
                        + difference,
                fix: left < 10
                    ? "disable devices that are no longer used; their slots become free when the "
                        + "membership renews" : "",
            )
        }
    }

    private static func appID(
        for claim: Claim,
        _ bundleIDs: [AccountBundleID],
        _ capabilities: [ResourceID: [AccountCapability]],
    ) -> [Line] {
        let found = bundleIDs.first { $0.identifier == claim.bundle.rawValue }
        guard let found else {
            return [
                Line(
                    verdict: .missing,
                    text: "the team has no App ID for \(claim.bundle)",
                    fix: "register it at developer.apple.com",
                )
            ]
        }
        let comparison = CapabilityComparison(
            claims: claim.entitlements,
            capabilities: capabilities[found.id] ?? [],
        )
        guard !comparison.missing.isEmpty else {
            return [
                Line(
                    verdict: .good,
                    text: "the App ID of \(claim.bundle) has every capability that the app claims",
                    fix: "",
                )
            ]
        }
        return comparison.missing.map {
            Line(verdict: .missing, text: "\(claim.bundle): \($0)", fix: $0.fix)
        }
    }
}
