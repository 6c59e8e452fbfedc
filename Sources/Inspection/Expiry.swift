#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A moment at which a build stops installing, and what ends then.
package struct Expiry: Equatable, Sendable {
    package enum Cause: Equatable, Sendable {
        case profile(name: String)
        /// The last certificate that the profile allows.
        case certificate(name: String)
    }

    package let date: Date
    package let cause: Cause
    /// The profile's path in the archive.
    package let place: String
}

extension InspectionReport {
    /// Everything in the build that ends, the earliest first.
    package var expiries: [Expiry] {
        profiles.flatMap { place, profile in
            let own = Expiry(
                date: profile.expires,
                cause: .profile(name: profile.name),
                place: place,
            )
            let last = profile.certificates.max { $0.expires < $1.expires }.map {
                Expiry(date: $0.expires, cause: .certificate(name: $0.name), place: place)
            }
            return [own] + [last].compactMap(\.self)
        }
        .sorted { $0.date < $1.date }
    }
}
