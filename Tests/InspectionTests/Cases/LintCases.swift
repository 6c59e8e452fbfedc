import Sample

extension RuleCase {
    static let lint: [RuleCase] = []
}
