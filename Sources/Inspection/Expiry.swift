import Bytes

package import Essentials

/// The moment from which a build can no longer be installed, and the profile or certificate that expires
/// then.
package struct Expiry: Equatable, Sendable {
    package enum Cause: Equatable, Sendable {
        case profile(name: String)
        /// A certificate of the signature's chain; when no signer is proven, the profile's certificate
        /// that expires last.
        case certificate(name: String)
    }

    package let date: Date
    package let cause: Cause
    /// The path of the profile or the executable in the archive.
    package let place: String
}

extension Expiry {
    /// States until when the build installs, or since when it no longer does, and why.
    package func sentence(at now: Date) -> String {
        if date <= now { return "Stopped installing on \(date.day), because \(subject) expired." }
        return "Installs until \(date.day), because \(subject) expires "
            + "\(date.distance(from: now))."
    }

    /// The expiring profile or certificate, with its path.
    private var subject: String {
        let place = PrintableText(escaping: place, limit: 300)
        return switch cause {
        case .profile(let name): "the profile \(quoted: name) in \(place)"
        case .certificate(let name): "the certificate \(quoted: name) of \(place)"
        }
    }
}

extension InspectionReport {
    /// The expiry of each bundle's profile and of its first certificate to expire, the earliest first.
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

    /// What a report contains about one signed bundle.
    package struct SignedBundle {
        /// The path in the archive.
        package let path: String
        package let profile: ProfileSummary?
        package let signature: SignatureSummary?

        var profilePlace: String { path + "/embedded.mobileprovision" }

        /// The certificates whose validity iOS checks: the chain without the root, which devices trust
        /// regardless of its dates.
        package var signers: [CertificateSummary] { signature?.signers.dropLast() ?? [] }

        /// The certificate that expires first, and its path.
        fileprivate var firstToEnd: (CertificateSummary, place: String)? {
            if let first = signers.min(by: { $0.expires < $1.expires }), let signature {
                return (first, signature.path)
            }
            return profile?.certificates.max { $0.expires < $1.expires }.map { ($0, profilePlace) }
        }
    }

    /// The app, then its nested bundles.
    package var bundles: [SignedBundle] {
        [SignedBundle(path: identity.path, profile: profile, signature: signature)]
            + nested.map {
                SignedBundle(path: $0.path, profile: $0.profile, signature: $0.signature)
            }
    }
}

extension Date {
    /// Days since 1970-01-01 in UTC.
    fileprivate var dayNumber: Int { Int((timeIntervalSince1970 / 86_400).rounded(.down)) }
}

extension Date {
    /// The distance in calendar days in UTC: `today`, `tomorrow`, `in 12 days`.
    func distance(from now: Date) -> String {
        switch dayNumber - now.dayNumber {
        case 0: "today"
        case 1: "tomorrow"
        case let days: "in \(days.grouped) days"
        }
    }
}
