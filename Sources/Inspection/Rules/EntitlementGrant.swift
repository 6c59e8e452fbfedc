import Bytes
package import PropertyLists

/// Matches claimed entitlements against those of a profile.
extension PropertyList {
    /// Whether the value claims nothing, so that no profile needs to grant it: false, or empty.
    package var claimsNothing: Bool {
        switch self {
        case .boolean(let value): !value
        case .array(let items): items.isEmpty
        case .dictionary(let entries): entries.isEmpty
        default: false
        }
    }

    /// Returns the part of a claim that the profile's value for the same key does not grant; nil when it
    /// grants all of it.
    ///
    /// TN3125: the profile is an allow list, in which `*` stands for any value and a `*` at the end of a
    /// string for any suffix. An array grants each of its elements, alone or in an array.
    package func excess(over grant: PropertyList) -> PropertyList? {
        switch self {
        case .array(let items):
            let excess = items.prefix(Self.greatestClaim).filter { !$0.isAllowed(by: grant) }
            return excess.isEmpty ? nil : .array(Array(excess))
        case .dictionary(let entries) where grant.dictionary != nil:
            let excess = entries.filter { key, value in
                guard let allowed = grant[key] else { return !value.claimsNothing }
                return value.excess(over: allowed) != nil
            }
            return excess.isEmpty ? nil : .dictionary(excess)
        default: return isAllowed(by: grant) || claimsNothing ? nil : self
        }
    }

    /// Each element of a claim is searched in the grant, so only as many elements of each count as real
    /// ones have.
    private static let greatestClaim = 200
    private static let greatestGrant = 1000

    private func isAllowed(by grant: PropertyList) -> Bool {
        switch (self, grant) {
        case (_, .array(let grants)):
            grants.prefix(Self.greatestGrant).contains { isAllowedAlone(by: $0) }
        default: isAllowedAlone(by: grant)
        }
    }

    private func isAllowedAlone(by grant: PropertyList) -> Bool {
        guard let pattern = grant.string else { return self == grant }
        if pattern == "*" { return true }
        guard let string else { return false }
        guard pattern.hasBytes(last: "*") else { return pattern.isBytes(of: string) }
        return string.utf8.starts(with: pattern.utf8.dropLast())
    }
}
