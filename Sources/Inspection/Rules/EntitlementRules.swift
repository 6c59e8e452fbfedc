/// What the code asks for against what the profile grants: catalogue rows 7 and 10 to 13.
enum EntitlementRules {
    static func findings(in specimen: Specimen) -> [Finding] {
        []
    }
}

extension Rule {
    static let entitlement: [Rule] = []
}
