import Sample

extension RuleCase {
    static let profile: [RuleCase] = []
}
