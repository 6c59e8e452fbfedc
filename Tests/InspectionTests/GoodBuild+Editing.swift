import Cryptography
import Foundation
import PropertyLists
import Sample

/// Steps that only tests need.
extension IPABuilder {
    /// Nests a bundle after changing it.
    func nesting(
        _ draft: BundleDraft,
        _ change: (inout BundleDraft) throws -> Void,
    ) rethrows
        -> IPABuilder
    {
        var draft = draft
        try change(&draft)
        return nesting(draft)
    }

    /// Sets a key of the app's profile, or removes it.
    func profileKey(_ key: String, _ value: PropertyList?) -> IPABuilder {
        editingProfile { $0.overrides[key] = .some(value) }
    }

    /// Signs the app with a certificate valid between these dates, which the profile allows in addition to
    /// `others`.
    func signed(
        from begins: Date = GoodBuild.signing,
        until ends: Date,
        allowing others: [Certificate] = [],
    ) throws -> IPABuilder {
        let identity = try authority.identity(.distribution, from: begins, until: ends)
        return editingProfile { $0.certificates = others + [identity.certificate] }
            .signing { $0.identity = identity }
    }
}

extension BundleDraft {
    /// Signs the bundle with a certificate valid between these dates, in a profile of its own.
    mutating func sign(from begins: Date = GoodBuild.signing, until ends: Date) throws {
        let identity = try SigningAuthority.cached().identity(
            .distribution,
            from: begins,
            until: ends,
        )
        var profile = GoodBuild.profile()
        profile.certificates = [identity.certificate]
        self.profile = profile
        signing.identity = identity
    }
}
