import Sample

extension RuleCase {
    static let entitlement: [RuleCase] = []
}
