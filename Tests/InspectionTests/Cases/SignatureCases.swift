import Sample

extension RuleCase {
    static let signature: [RuleCase] = []
}
