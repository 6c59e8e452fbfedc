import Essentials

extension SigningAuthority {
    /// One authority for everything in this process that need not have its own.
    ///
    /// Valid from 2020 to 2039, so that it serves a fixed clock and a running one alike; only a
    /// profile's dates then decide.
    package static func cached() throws -> SigningAuthority { try made.get() }

    private static let made = Result {
        let date = Date(timeIntervalSince1970: 1_577_836_800)
        return try SigningAuthority(validFrom: date, leafExpires: date.addingYears(19))
    }
}
