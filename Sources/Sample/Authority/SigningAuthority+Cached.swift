import Essentials

extension SigningAuthority {
    /// One authority shared by everything in this process that does not need its own.
    ///
    /// Valid from 2020 to 2039, so that it works with a fixed clock and a real one; only a profile's
    /// dates matter then.
    package static func cached() throws -> SigningAuthority { try made.get() }

    private static let made = Result {
        let date = Date(timeIntervalSince1970: 1_577_836_800)
        return try SigningAuthority(validFrom: date, leafExpires: date.addingYears(19))
    }
}
