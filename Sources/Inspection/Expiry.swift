import Bytes

package import Essentials

/// A moment at which a build stops installing, and what ends then.
package struct Expiry: Equatable, Sendable {
    package enum Cause: Equatable, Sendable {
        case profile(name: String)
        /// One of the certificates that the code is signed with; where no signer is proven, the
        /// last one that the profile allows.
        case certificate(name: String)
    }

    package let date: Date
    package let cause: Cause
    /// The path in the archive: the profile's, or the executable's.
    package let place: String
}

extension Expiry {
    /// Until when the build installs, or since when it does not, and what ends then.
    package func sentence(at now: Date) -> String {
        if date <= now { return "Stopped installing on \(date.day), because \(subject) expired." }
        return "Installs until \(date.day), because \(subject) expires "
            + "\(date.distance(from: now))."
    }

    /// What ends, and where it is.
    private var subject: String {
        let place = PrintableText(escaping: place, limit: 300)
        return switch cause {
        case .profile(let name): "the profile \(quoted: name) in \(place)"
        case .certificate(let name): "the certificate \(quoted: name) of \(place)"
        }
    }
}

extension InspectionReport {
    /// Everything in the build that ends, the earliest first.
    package var expiries: [Expiry] {
        bundles.flatMap { bundle -> [Expiry] in
            var expiries: [Expiry] = []
            if let profile = bundle.profile {
                expiries.append(
                    Expiry(
                        date: profile.expires,
                        cause: .profile(name: profile.name),
                        place: bundle.profilePlace,
                    )
                )
            }
            if let (certificate, place) = bundle.firstToEnd {
                expiries.append(
                    Expiry(
                        date: certificate.expires,
                        cause: .certificate(name: certificate.name),
                        place: place,
                    )
                )
            }
            return expiries
        }
        .sorted { $0.date < $1.date }
    }

    /// What a report knows of one bundle that is signed.
    package struct SignedBundle {
        /// The path in the archive.
        package let path: String
        package let profile: ProfileSummary?
        package let signature: SignatureSummary?

        var profilePlace: String { path + "/embedded.mobileprovision" }

        /// The certificates whose dates decide: all of the chain but the root, which devices trust
        /// whatever its date.
        package var signers: [CertificateSummary] { signature?.signers.dropLast() ?? [] }

        /// The certificate that ends the bundle's life, and where it is.
        fileprivate var firstToEnd: (CertificateSummary, place: String)? {
            if let first = signers.min(by: { $0.expires < $1.expires }), let signature {
                return (first, signature.path)
            }
            return profile?.certificates.max { $0.expires < $1.expires }.map { ($0, profilePlace) }
        }
    }

    /// The app first, then what is nested in it.
    package var bundles: [SignedBundle] {
        [SignedBundle(path: identity.path, profile: profile, signature: signature)]
            + nested.map {
                SignedBundle(path: $0.path, profile: $0.profile, signature: $0.signature)
            }
    }
}

extension Date {
    /// Days since 1970 in UTC.
    fileprivate var dayNumber: Int { Int((timeIntervalSince1970 / 86_400).rounded(.down)) }
}

extension Date {
    /// How far away it is, by the calendar in UTC: `today`, `tomorrow`, `in 12 days`.
    func distance(from now: Date) -> String {
        switch dayNumber - now.dayNumber {
        case 0: "today"
        case 1: "tomorrow"
        case let days: "in \(days.grouped) days"
        }
    }
}
