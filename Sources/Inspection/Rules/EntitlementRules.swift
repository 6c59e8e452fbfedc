import Bundles
import Bytes
import CodeSignature
import PropertyLists

/// Checks the entitlements that the code claims against those that the profile grants.
///
/// Finds nothing in unsigned code: signing it will give it other entitlements.
enum EntitlementRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        input.provisioned.flatMap { bundle -> [Finding] in
            guard let code = EntitledCode(of: bundle, in: input) else { return [] }
            let refused = input.allowance(of: bundle).map { grants(of: $0, to: code) } ?? []
            let malformed = faults(of: code)
            guard refused.isEmpty, malformed.isEmpty else { return refused + malformed }
            let differing = differences(of: code)
            return (differing.isEmpty ? slices(of: code) : differing) + irregularities(of: code)
                + (input.allowance(of: bundle).map { types(under: $0, of: code) } ?? [])
        } + libraries(in: input) + schemes(of: input)
    }

    /// At most this many entitlements of one bundle get findings of their own.
    private static let limit = 5

    /// The entitlements of any slice that the profile does not grant.
    private static func grants(
        of profile: ProvisioningProfile,
        to code: EntitledCode,
    ) -> [Finding] {
        var refused: [(rule: Rule, key: String, sentence: String)] = []
        var sentences: Set<String> = []
        for claims in code.claims {
            for (key, claim) in claims.sorted(by: { $0.key < $1.key }) {
                guard !identity.contains(key),
                    let excess = claim.excess(over: profile.allowance(of: key))
                else { continue }
                let sentence = sentence(on: key, excess, in: profile)
                guard sentences.insert(sentence).inserted else { continue }
                refused.append((rule(for: key, granted: profile), key, sentence))
            }
        }
        // Those that block for certain come first, so that they are listed.
        refused = refused.filter { !isInferred($0.key) } + refused.filter { isInferred($0.key) }
        return debugging(under: profile, of: code)
            + refused.prefix(limit).enumerated().map { index, one in
                let rest = index == limit - 1 ? refused.dropFirst(limit).map(\.key) : []
                let more = rest.isEmpty ? "" : "; nor does it grant \(quoted: rest)"
                let message = one.sentence + more + "."
                return isInferred(one.key)
                    ? one.rule.inference(message, at: code.path)
                    : one.rule.finding(message, at: code.path)
            }
    }

    /// An array where the profile has a single string: it grants the same values but is of another type.
    private static func types(
        under profile: ProvisioningProfile,
        of code: EntitledCode,
    ) -> [Finding] {
        let keys = code.claims.flatMap { claims in
            claims.filter { key, claim in
                guard let grant = profile.entitlements[key]?.string else { return false }
                return claim.array?.isEmpty == false && !grant.hasSuffix("*")
            }
            .keys
        }
        guard !keys.isEmpty else { return [] }
        return [
            Rule.typeDiffers.inference(
                "The code claims \(quoted: Set(keys).sorted()) as a list, but the profile "
                    + "\(quoted: profile.name) grants a string.",
                at: code.path,
            )
        ]
    }

    /// Apple makes no distribution profile that grants debugging.
    private static func debugging(
        under profile: ProvisioningProfile,
        of code: EntitledCode,
    ) -> [Finding] {
        guard profile.getTaskAllow, profile.kind != .development,
            code.claims.contains(where: { $0["get-task-allow"]?.boolean == true })
        else { return [] }
        return [
            Rule.debuggable.inference(
                "The code claims get-task-allow, but the profile \(quoted: profile.name) is for "
                    + "\(profile.kind.title) distribution.",
                at: code.path,
            )
        ]
    }

    private static func sentence(
        on key: String,
        _ excess: PropertyList,
        in profile: ProvisioningProfile,
    ) -> String {
        let claim = "The code claims \(PrintableText(escaping: key)) “\(excess.inWords)”"
        guard let grant = profile.entitlements[key] else {
            return "\(claim), but the profile \(quoted: profile.name) does not grant that "
                + "entitlement at all"
        }
        return "\(claim), but the profile \(quoted: profile.name) grants “\(grant.inWords)”"
    }

    private static func rule(for key: String, granted profile: ProvisioningProfile) -> Rule {
        if key == "get-task-allow" { return .debuggable }
        let isAbsent = profile.entitlements[key] == nil
        return isAbsent && ManagedEntitlements.contains(key) ? .managed : .notGranted
    }

    /// Keys that ``IdentifierRules`` reports.
    static let identity: Set = ["application-identifier"]

    /// Entitlements of the Mac, which targets for several platforms keep, and the data protection level,
    /// of which a lower one may be claimed.
    private static func isInferred(_ key: String) -> Bool {
        key == "com.apple.developer.default-data-protection"
            || key.hasPrefix("com.apple.security.")
                && key != "com.apple.security.application-groups"
    }
}

extension ProvisioningProfile {
    /// The granted value; profiles from before 2014 have the team only outside their entitlements.
    fileprivate func allowance(of key: String) -> PropertyList {
        entitlements[key]
            ?? .array(
                key == "com.apple.developer.team-identifier"
                    ? teamIdentifiers.map { .string($0) } : []
            )
    }
}
